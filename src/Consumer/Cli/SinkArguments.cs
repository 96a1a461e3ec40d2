using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Processing;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The sinks that each event is written to, and the assembly that custom sinks come from.</summary>
/// <param name="components">The sinks of this process.</param>
internal sealed class SinkArguments(AvailableComponents components)
{
    /// <summary>The option that names the sinks.</summary>
    public const string SinksName = "--sinks";

    /// <summary>The assembly. It is loaded before the command line is parsed.</summary>
    public Option<string?> Assembly { get; } =
        Options.Text(SinkAssembly.Option, $"Adds the sinks and handlers of this assembly to {SinksName} (docs/library.md)", "FILE");

    /// <summary>The sinks, by name.</summary>
    public Option<IReadOnlyList<string>> Sinks { get; } =
        Options
            .ListOf(
                SinksName,
                $"The sinks that each event is written to. Others than servicebus and blob come from {SinkAssembly.Option}",
                [.. components.AllSinks.Select(static sink => sink.Name)],
                JudgedSinks.Names
            )
            .Sets((run, names) => run.WithSinks([.. names.Select(name => components.FindSink(name)!)], components));

    /// <summary>The assembly of handlers that each event is written to alone. It is loaded before the command line is parsed.</summary>
    public Option<string?> Handler { get; } =
        Options
            .Text(
                SinkAssembly.HandlerOption,
                "Writes each event to the handlers of this assembly alone. The verdict is on what they acknowledge (docs/library.md)",
                "FILE"
            )
            .Sets((run, file) => file is null || components.Sinks is null ? run : run.WithSinks(components.Sinks.All, components));

    /// <summary>The described writes of a handler, in place of sinks.</summary>
    public WriteArguments Writes { get; } = new();

    /// <summary>The options of a run.</summary>
    public IEnumerable<Option> All => [Sinks, Assembly];

    /// <summary>The options of a comparison.</summary>
    public IEnumerable<Option> OfComparisons => [.. All, Handler, Writes.Write];

    /// <summary>Whether each event is written to a sink of this name, without a setting of one configuration.</summary>
    public bool IsWrittenTo(CommandResult result, string name) =>
        result.IsGiven(Handler) || (result.Command.Options.Contains(Sinks) && result.GetValue(Sinks)!.Contains(name));

    /// <summary>The problems of handlers and writes that must be alone, and of the writes.</summary>
    public IEnumerable<string> AloneProblems(CommandResult result) =>
        [
            .. result.IsGiven(Handler) && OfComparisons.FirstOrDefault(option => option != Handler && result.IsGiven(option)) is { } beside
                ? new[] { $"{Handler.Name}: writes to the handlers of its assembly alone, so it cannot be combined with {beside.Name}" }
                : [],
            .. result.IsGiven(Writes.Write) && All.FirstOrDefault(result.IsGiven) is { } other
                ? new[] { $"{Writes.Write.Name}: takes the place of all sinks, so it cannot be combined with {other.Name}" }
                : [],
            .. Writes.Problems(result),
            .. Writes
                .Read(result)
                .Where(static write => SinkCatalog.All.Any(sink => sink.Name == write.Name) || write.Name == HandlerWork.SinkName)
                .Select(write => $"{Writes.Write.Name} '{write.Name}': the name is that of a sink of this program, choose another one"),
        ];

    /// <summary>The reason why the verifier cannot check these sinks, or null.</summary>
    public string? Problem(CommandResult result) => Problem(result.GetValue(Sinks)!);

    /// <summary>The reason why the verifier cannot check the sinks of these names, or null.</summary>
    public static string? Problem(IReadOnlyList<string> names) =>
        JudgedSinks.Of(names) == SinkSet.None
            ? $"{SinksName} {string.Join(',', names)}: no verdict is possible, add {string.Join(" or ", JudgedSinks.Names)}"
            : null;
}
