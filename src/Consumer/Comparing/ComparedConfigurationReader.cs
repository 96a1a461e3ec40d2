using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processes;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// Reads a compared configuration from text: the name of a strategy, then options of <c>run</c>, as in <c>pipelined:degree=128:batch=100</c>. Options
/// that the text does not have are those of the command line. Names and limits are those of the command line.
/// </summary>
/// <param name="components">The available strategies and sinks.</param>
/// <param name="common">The options that apply to all configurations.</param>
/// <param name="given">The parsed values of those options.</param>
/// <param name="load">The load.</param>
internal sealed class ComparedConfigurationReader(AvailableComponents components, ProcessingArguments common, CommandResult given, LoadOptions load)
{
    private const string BuildPart = "build=";

    /// <summary>The largest batch of all configurations, if no option of the command sets it. Otherwise null.</summary>
    public int? Batch { get; init; }

    /// <summary>Whether the texts are points of a sweep. Then a problem that several points of a strategy share is reported once.</summary>
    public bool AreSwept { get; init; }

    /// <summary>The compared configurations, in the order of the texts.</summary>
    /// <param name="option">The option that names them.</param>
    /// <param name="texts">The texts.</param>
    /// <exception cref="UsageException">The problems of all texts.</exception>
    public IReadOnlyList<ComparedConfiguration> Read(string option, IReadOnlyList<string> texts)
    {
        var problems = texts
            .GroupBy(static text => text, StringComparer.Ordinal)
            .Where(static same => same.Count() > 1)
            .Select(same => $"{option} '{same.Key}': named twice")
            .ToList();
        var found = new List<ComparedConfiguration>();
        var reported = new HashSet<(string Strategy, string Problem)>();
        foreach (var text in texts)
        {
            try
            {
                found.Add(ReadOne(text));
            }
            catch (UsageException wrong)
            {
                problems.AddRange(
                    wrong.Problems.Where(problem => !AreSwept || reported.Add((GetParts(text)[0], problem))).Select(problem => $"{option} '{text}': {problem}")
                );
            }
            catch (InvalidOperationException) when (problems.Count > 0)
            {
                // A value that applies to all is invalid. That problem is listed already.
            }
        }

        return problems.Count > 0 ? throw new UsageException(problems) : found;
    }

    /// <summary>The folder of another build that a text names, or null.</summary>
    public static string? GetBuild(string text) =>
        GetParts(text).Skip(1).FirstOrDefault(static part => part.StartsWith(BuildPart, StringComparison.Ordinal))?[BuildPart.Length..];

    private ComparedConfiguration ReadOne(string text)
    {
        var parts = GetParts(text);
        var own = parts.Skip(1).Select(OwnOption).ToList();
        var processing = new ProcessingArguments(components);
        var partitions = new LoadArguments().Partitions;
        var build = Options.Text("--build", "Folder of another build of this program", "DIR");
        var sink = Options.Text("--sink", "Name of a custom sink that is written to in addition", "NAME");
        var command = GetCommand(processing, partitions, build, sink);
        if (own.Find(one => command.Options.All(known => known.Name != one.Name)) is { Name: { } unknown })
        {
            throw new UsageException($"'{unknown[2..]}': not an option of a strategy. Known: {string.Join(", ", KnownTo(command))}");
        }

        var parsed = CommandHost.Parse(command, [processing.Dispatch.Strategy.Name, parts[0], .. own.SelectMany(static one => new[] { one.Name, one.Value })]);
        if (parsed.Problems() is { Count: > 0 } problems)
        {
            throw new UsageException(problems);
        }

        var result = parsed.CommandResult;
        var run = result.ReadGiven(GetCommon(processing.Dispatch.GetStrategy(result)!));
        var chosen = run.With(limits =>
            limits with
            {
                StrategyOptions = processing.Dispatch.OwnOptions.ChosenFor(result, limits.Strategy, limits.StrategyOptions),
            }
        );
        return new ComparedConfiguration(text, result.GetValue(sink) is { } name ? chosen.WithSinks([.. chosen.Sinks, OwnSink(name)!], components) : chosen)
        {
            Build = result.GetValue(build) is { } folder ? Path.GetFullPath(folder) : null,
        };
    }

    private RunOptions GetCommon(StrategyDescriptor strategy)
    {
        var run = common.Read(given, strategy, OwnershipTimes.Embedded, load);
        return Batch is { } batch ? run.With(processing => processing with { BatchSize = batch }) : run;
    }

    private SinkDescriptor? OwnSink(string name) => components.Sinks?.All.FirstOrDefault(known => known.Name == name);

    // A value may contain a colon, as the folder in build=C:\old does.
    private static List<string> GetParts(string text)
    {
        List<string> parts = [];
        foreach (var part in text.Split(':'))
        {
            if (parts.Count > 1 && !part.Contains('=', StringComparison.Ordinal))
            {
                parts[^1] += $":{part}";
            }
            else
            {
                parts.Add(part);
            }
        }

        return parts;
    }

    // The number of partitions belongs to the load, and the build to the machine. Each configuration may override both.
    private Command GetCommand(ProcessingArguments processing, Option<int?> partitions, Option<string?> build, Option<string?> sink)
    {
        var command = new Command("strategy") { processing.Dispatch.Strategy, processing.Dispatch.AllowUnsafe, partitions, build, sink };
        command.Check(result =>
            result.GetValue(sink) is { } name && OwnSink(name) is null
                ? components.Sinks is { } own
                    ? $"{sink.Name} '{name}': unknown, {SinkAssembly.Option} has {string.Join(", ", own.All.Select(static known => known.Name))}"
                    : $"{sink.Name} '{name}': unknown, no {SinkAssembly.Option} is named"
                : null
        );
        command.Check(result =>
            result.GetValue(sink) is { } name && common.Sinks.IsWrittenTo(given, name)
                ? $"{sink.Name} '{name}': is among {(given.IsGiven(common.Sinks.Handler) ? "the handlers" : SinkArguments.SinksName)} already"
                : null
        );
        command.Check(result =>
            result.GetValue(build) is { } folder && !File.Exists(ProcessCommand.GetFile(folder, "consumer"))
                ? $"{build.Name} {folder}: {(Directory.Exists(folder) ? "has no executable consumer" : "no such folder")}, allowed is the folder of a build of this program"
                : null
        );
        foreach (var option in processing.OfEach)
        {
            command.Options.Add(option);
        }

        var dispatch = processing.Dispatch;
        dispatch.AddOwnOptionsTo(command, dispatch.GetStrategies);

        // An option that only one strategy declares is not an error of the others if it was given for all.
        command.CheckAll(result =>
            dispatch.GetStrategy(result) is { } strategy
                ? common.Dispatch.OwnOptions.ProblemsOfShared(given, strategy, [.. command.Options.Where(result.IsGiven).Select(static option => option.Name)])
                : []
        );
        command.Check(result => GetLimits(result) is { } limits ? dispatch.GetProblem(limits) : null);
        command.CheckAll(result => GetLimits(result) is { } limits ? dispatch.UnsafeProblems(limits, option => IsGiven(result, option)) : []);
        command.Check(result => processing.StoreProblem(result, common, given));
        return command;

        ProcessingOptions? GetLimits(CommandResult result) =>
            dispatch.GetStrategy(result) is { } strategy ? dispatch.GetLimits(result, GetCommonLimits(strategy)) : null;
    }

    private ProcessingOptions GetCommonLimits(StrategyDescriptor strategy)
    {
        var limits = common.Dispatch.GetLimits(given, strategy);
        return Batch is { } batch ? limits with { BatchSize = batch } : limits;
    }

    private bool IsGiven(CommandResult result, Option option) =>
        result.IsGiven(option) || given.Command.Options.Any(known => known.Name == option.Name && given.IsGiven(known));

    private static IEnumerable<string> KnownTo(Command command) =>
        command.Options.Select(static known => known.Name[2..]).Where(static name => name is not ("strategy" or "unsafe"));

    private static (string Name, string Value) OwnOption(string text) =>
        text.Split('=') is [{ Length: > 0 } name, { Length: > 0 } value]
            ? ($"--{name}", value)
            : throw new UsageException($"'{text}': write it as name=value, as in pipelined:degree=128:batch=100");
}
