using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Model;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Modelling;

/// <summary>The options of <c>model</c>: those of <c>run</c> that decide a rate, with the defaults of <c>compare</c>.</summary>
/// <param name="components">The available strategies and sinks.</param>
internal sealed class ModelArguments(AvailableComponents components)
{
    private const string Every = "all";

    // Events without a key would not show what the order of keys costs.
    private const int AssumedKeys = 1_000;

    private readonly DispatchArguments dispatch = new(components, CompareCommand.DefaultDegree);
    private readonly LoadArguments load = new();
    private readonly WriteArguments writes = new();
    private readonly Option<string> strategy = Options.Choice(
        "--strategy",
        "Only this strategy",
        Every,
        [Every, .. components.Strategies.Select(known => known.Name)],
        OfficialComponents.Absent
    );

    private readonly Option<string> profile = Options.TextOr(
        "--profile",
        "Latency profile (docs/laboratory.md)",
        CompareCommand.DefaultProfile,
        "NAME|FILE.json"
    );
    private readonly Option<OrderingGuarantee?> order = Options.OptionalChoice(
        "--order",
        "The order that the recommended strategy must keep, default none. key assumes 1000 keys unless --keys is given",
        [("partition", OrderingGuarantee.Partition), ("key", OrderingGuarantee.Key), ("none", OrderingGuarantee.None)]
    );

    private readonly Option<IReadOnlyList<(double PerSecond, TimeSpan From)>?> need = Options.OptionalRates(
        "--need",
        "Recommend the configuration with the lowest degree that reaches this rate over all partitions",
        0.001,
        1_000_000
    );

    private readonly Option<int?> processors = Options.OptionalInteger(
        "--processors",
        "Processors for the work of events (--cpu-us) and for the degree of published, default those of this machine",
        1,
        1024
    );

    private readonly Option<int> events = Options.Integer(
        "--events",
        "Events to simulate. More if they fill only few batches",
        ModelSettings.UsualEvents,
        100,
        1_000_000
    );
    private readonly Option<int> seed = Options.Integer("--seed", "Seed of the simulation", 1, 0, int.MaxValue);
    private readonly Option<string?> output = Options.Text("--output", "Write the predictions to this file (JSON)", "FILE");

    /// <summary>Adds the options and the checks between options.</summary>
    public void AddTo(Command command)
    {
        foreach (
            var option in (Option[])
                [
                    strategy,
                    profile,
                    writes.Write,
                    order,
                    need,
                    .. dispatch.Sizes,
                    .. dispatch.Limits,
                    .. dispatch.Work,
                    load.Partitions,
                    load.Keys,
                    load.Skew,
                    load.Size,
                    processors,
                    events,
                    seed,
                    output,
                ]
        )
        {
            // A prediction always uses an embedded load.
            option.Description = LoadArguments.WithoutEmbedded(option.Description!);
            command.Options.Add(option);
        }

        dispatch.AddOwnOptionsTo(command, GetStrategies);
        command.Check(result => ProfileReader.Problem(profile.Name, result.GetValue(profile)!));
        command.Check(result =>
            FileArguments.GetFile(result.GetValue(profile)) is { } path && NamedFile.GetProblem(path) is { } problem
                ? $"{profile.Name} {path}: {problem}"
                : null
        );
        command.Check(result =>
            GetStrategies(result).Select(one => dispatch.GetProblem(dispatch.GetLimits(result, one))).FirstOrDefault(problem => problem is not null)
        );
        command.CheckAll(writes.Problems);
        command.CheckAll(NeedProblems);
        command.CheckAll(result =>
            new NamedFiles()
                .Reads(profile.Name, FileArguments.GetFile(result.GetValue(profile)))
                .Writes(output.Name, result.GetValue(output), OutputKind.Result)
                .Problems()
        );
    }

    /// <summary>The rate that a recommendation must reach, and the order that it must keep. Null without a recommendation.</summary>
    public (double PerSecond, OrderingGuarantee Order)? GetNeed(CommandResult result) =>
        result.GetValue(need) is [var (rate, _), ..] ? (rate, result.GetValue(order) ?? OrderingGuarantee.None) : null;

    /// <summary>The path of the predictions. Null writes none.</summary>
    public string? GetOutput(ParseResult result) => result.GetValue(output);

    /// <summary>The selected strategy, or all strategies.</summary>
    public IReadOnlyList<StrategyDescriptor> GetStrategies(CommandResult result)
    {
        var name = result.GetValue(strategy);
        return name == Every ? components.Strategies : [.. components.Strategies.Where(known => known.Name == name)];
    }

    /// <summary>The model's parameters for the run of a strategy.</summary>
    /// <exception cref="UsageException">The file of the profile cannot be used.</exception>
    public Func<StrategyDescriptor, ModelSettings> Read(ParseResult parsed)
    {
        var result = parsed.CommandResult;
        var named = ProfileReader.Of(result.GetValue(profile)!);
        var usual = new RunOptions
        {
            Run = "",
            Processing = new ProcessingOptions { Prefetch = ProcessingArguments.UsualPrefetchOn(named.Name) },
            Load = LoadArguments.Usual(ClientFamily.Official, named.Name, partitions: 1),
        };
        var asked = result.Read(usual);
        var assumedKeys = GetNeed(result)?.Order == OrderingGuarantee.Key && !result.IsGiven(load.Keys) ? AssumedKeys : (int?)null;
        return one =>
        {
            var run = asked.With(processing => processing with { Strategy = one, StrategyOptions = dispatch.OwnOptions.ChosenFor(result, one) });
            var settings = ModelChoice.GetSettings(run, run.Load!, named);
            return settings with
            {
                Keys = assumedKeys ?? settings.Keys,
                Processors = result.GetValue(processors) ?? Environment.ProcessorCount,
                Events = result.GetValue(events),
                Seed = result.GetValue(seed),
            };
        };
    }

    private IEnumerable<string> NeedProblems(CommandResult result)
    {
        if (result.GetValue(need) is not { } rates)
        {
            return result.IsGiven(order) ? [$"{order.Name}: only with {need.Name}"] : [];
        }

        return
        [
            .. rates.Count > 1 ? new[] { $"{need.Name}: {rates.Count} rates, allowed is one" } : [],
            .. ((Option[])[strategy, dispatch.Degree, dispatch.Window, dispatch.ReplayLimit])
                .Where(result.IsGiven)
                .Select(option => $"{need.Name}: chooses strategy, degree and window, so it cannot be combined with {option.Name}"),
        ];
    }
}
