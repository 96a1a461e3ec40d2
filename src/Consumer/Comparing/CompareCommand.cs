using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Comparison;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// The commands <c>consumer compare</c>, which ranks strategies with confidence intervals and costs, and <c>consumer sweep</c>, which runs a strategy at
/// many degrees.
/// </summary>
/// <param name="components">The available strategies and sinks.</param>
/// <param name="form">Which of the two commands.</param>
/// <param name="settings">The connection settings, if there are any.</param>
/// <param name="scenario">The scenario, if it was read before, or null.</param>
internal sealed class CompareCommand(AvailableComponents components, ComparisonForm form, SettingsResult settings, Scenario? scenario = null)
{
    /// <summary>The default profile, also of <c>model</c>.</summary>
    public const string DefaultProfile = "article-spread";

    /// <summary>The default degree, also of <c>model</c>.</summary>
    public const int DefaultDegree = 64;

    private const string AllSafe = "all";

    // A comparison for publication is measured longer.
    private const int PublishableRepeats = 10;
    private static readonly (TimeSpan WarmUp, TimeSpan Length) Quick = (TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5));
    private static readonly (TimeSpan WarmUp, TimeSpan Length) Publishable = (TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(30));

    private readonly Option<IReadOnlyList<string>> strategies = Options.List("--strategies", form.StrategiesText, form.Strategies);

    private readonly Option<int> repeats = Options.Integer(
        "--repeats",
        $"Blocks, each with one run of every configuration. {MedianInterval.FewestForInterval} give intervals, {PublishableRepeats} a comparison to publish",
        1,
        1,
        100
    );

    private readonly Option<int> seed = Options.Integer(
        "--seed",
        "Seed of the order within blocks and of the resamples of the intervals",
        1,
        0,
        int.MaxValue - 100
    );

    private readonly Option<TimeSpan?> warmUp = Options.OptionalDuration(
        "--warm-up",
        $"Warm-up of each cell, default 2s, or 20s from --repeats {PublishableRepeats} on",
        TimeSpan.Zero,
        TimeSpan.FromHours(1)
    );

    private readonly Option<TimeSpan?> length = Options.OptionalDuration(
        "--measure",
        $"How long each cell is measured, default 5s, or 30s from --repeats {PublishableRepeats} on",
        TimeSpan.FromMilliseconds(100),
        TimeSpan.FromHours(24)
    );

    private readonly Option<string?> report = Options.Text("--report", "Write a report to this file. Its ending is the format: .html, .md or .csv", "FILE");
    private readonly Option<double?> price = Options.OptionalNumber(
        "--price-per-10000-operations",
        "Price of ten thousand write operations of the checkpoint store, in any currency. Adds the price of a million events' checkpoints",
        0,
        1_000_000
    );

    private readonly Option<bool> sustainable = Options.Flag(
        "--sustainable",
        "Search for the largest rate at which the lag does not grow, and compare these rates. Takes about nine runs a cell"
    );

    private readonly ServiceArguments services = new(settings);
    private readonly GateArguments gates = new();
    private readonly MetricsArguments metrics = new();
    private readonly NamedComparison named = new(form, scenario);
    private readonly ProcessingArguments processing = new(components, DefaultDegree);
    private readonly FileArguments files = new();
    private readonly SweepArguments grid = new(components);
    private Func<string, MessagingSettings, Task<int>>? cleanUp;

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="compare">The action for a valid command line. Returns the exit code.</param>
    /// <param name="components">The available strategies and sinks. Null for those of the build.</param>
    /// <param name="scenario">The scenario that was read before the command line is parsed. Null reads it when it is named.</param>
    /// <param name="cleanUp">Removes what a killed comparison left, from its state file and the services. Returns the exit code.</param>
    public static Command Create(
        CommandConsole console,
        ComparisonForm form,
        Func<ComparisonPlan, Task<int>> compare,
        AvailableComponents? components = null,
        Scenario? scenario = null,
        Func<string, MessagingSettings, Task<int>>? cleanUp = null
    ) =>
        new CompareCommand(
            components ?? AvailableComponents.Current,
            form,
            MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer),
            scenario
        )
        {
            cleanUp = cleanUp,
        }.Build(console, compare);

    // A sweep has separate options for its axes.
    private IEnumerable<Option> Common =>
        form.IsSweep ? processing.OfEach.Where(option => option != processing.Dispatch.Degree && option != processing.Dispatch.Batch) : processing.OfEach;

    private LoadArguments Load => files.Load;

    // At a fixed send rate, a sweep cannot find the degree at which the rate stops growing.
    private IEnumerable<Option> LoadOptions => form.IsSweep ? Load.OfComparisons.Where(option => option != Load.Rate) : Load.OfComparisons;

    private Command Build(CommandConsole console, Func<ComparisonPlan, Task<int>> compare)
    {
        var command = new Command(form.Name, form.Text);
        foreach (
            var option in (IEnumerable<Option>)
                [
                    strategies,
                    .. form.IsSweep ? grid.All : [],
                    repeats,
                    seed,
                    warmUp,
                    length,
                    processing.Dispatch.AllowUnsafe,
                    processing.Dispatch.Assembly,
                    .. processing.Sinks.OfComparisons,
                    .. Common,
                    .. LoadOptions,
                    sustainable,
                    price,
                    files.Output,
                    report,
                    .. gates.All,
                    .. metrics.All,
                    .. services.All,
                    named.Scenario,
                    named.Resume,
                    named.CleanUp,
                ]
        )
        {
            command.Options.Add(option);
        }

        Describe();
        processing.Dispatch.OwnOptions.AddTo(command);
        metrics.DescribeForCells();
        metrics.AddChecksTo(command);
        var log = new LogOptions(console.Environment);
        log.AddTo(command);
        command.CheckAll(services.Problems);
        command.Check(_ => settings.Problems.Count > 0 ? ConnectionNotice.Of(console.Environment) : null);
        command.Check(result =>
            result.IsGiven(named.CleanUp) && settings.IsNone
                ? $"{named.CleanUp.Name}: the services are not named, set the connection settings of the comparison in the environment"
                : null
        );
        command.CheckAll(result => named.IsAbsent(result) ? services.LoadProblems(result, Load, sustainable, [.. Named(result)]) : []);
        // Options that come from a file are checked when that file is read.
        command.CheckAll(result => named.IsAbsent(result) ? FileProblems(result) : []);
        command.Check(result => named.IsAbsent(result) && result.GetValue(Load.Profile) is { } text ? ProfileReader.Problem(Load.Profile.Name, text) : null);
        command.CheckAll(result => form.IsSweep && named.IsAbsent(result) ? grid.Problems(result, [.. Named(result)]) : []);
        command.CheckAll(result => named.IsAbsent(result) ? processing.Sinks.AloneProblems(result) : []);
        command.CheckAll(result => named.IsAbsent(result) ? ConfigurationProblems(result) : []);
        Option[] namedAgain = [processing.Dispatch.Assembly, processing.Sinks.Assembly, processing.Sinks.Handler];
        command.CheckAll(named.CleanUpProblems);
        command.CheckAll(result =>
            named.ResumeProblems(result, [files.Output, report, gates.JUnit, .. namedAgain, strategies, .. metrics.All, .. services.All])
        );
        command.CheckAll(result => named.IsAbsent(result) ? RateProblems.Of(Load, result, GetWarmUp(result), GetLength(result)) : []);
        command.CheckAll(result => named.IsAbsent(result) ? RateProblems.OfSearch(sustainable, Load, result, GetLength(result)) : []);
        command.CheckAll(result => named.IsAbsent(result) ? gates.Problems(result, result.GetValue(repeats), [.. GetTexts(result)]) : []);
        command.SetAction(
            (result, _) =>
                result.GetValue(named.CleanUp) is { } state ? cleanUp!(state, settings.Settings!)
                : result.GetValue(named.Resume) is { } file ? ResumeAsync(file, result, log.Read(result), console, compare)
                : compare(result.GetValue(named.Scenario) is { } text ? PlanOfScenario(text, result, log.Read(result)) : GetPlan(result, log.Read(result)))
        );
        return command;
    }

    private async Task<int> ResumeAsync(string file, ParseResult given, LogChoice log, CommandConsole console, Func<ComparisonPlan, Task<int>> compare)
    {
        var source = $"{named.Resume.Name} {file}";
        var (resumed, stored) = named.ReadResumed(file);
        var (again, parsed) = Parse(stored);
        var arguments = new StoredArguments(source, parsed, given);
        if (arguments.IgnoredBeside(file) is { Count: > 0 } ignored)
        {
            await console.Error.WriteLineAsync($"{form.Name}: ignored, because the result names no output file: {string.Join(" and ", ignored)}");
        }

        var (output, page) = (given.GetValue(files.Output), given.GetValue(report));
        if (resumed.Comparison.Complete)
        {
            return new FinishedComparison(resumed, again.GetGates(source, parsed, resumed) with { JUnit = given.GetValue(gates.JUnit) }, console).Report(
                output,
                page
            );
        }

        var plan = GetPlan(arguments.Usable(), $"{source}: ");
        ResumedOrigin.EnsureSame(source, plan, resumed);
        return await compare(
            plan with
            {
                Id = resumed.Comparison.Id,
                Resumed = resumed,
                Services = services.Read(given.CommandResult, plan.Load.Clients, plan.Services?.HasEvents ?? false),
                Output = output ?? file,
                Report = page,
                Gates = plan.Gates with { JUnit = given.GetValue(gates.JUnit) },
                Metrics = metrics.Read(given.CommandResult),
                Log = log,
            }
        );
    }

    // The strategies are those of the result, so no assembly is loaded.
    private ComparisonGates GetGates(string source, ParseResult parsed, ComparisonResult result)
    {
        string[] labels = [.. result.Strategies.Select(static one => one.Label)];
        return gates.Problems(parsed.CommandResult, result.Settings.Repeats, labels).ToList() is { Count: > 0 } problems
            ? throw new UsageException([.. problems.Select(problem => $"{source}: {problem}")])
            : GetGates(parsed.CommandResult, labels);
    }

    private ComparisonGates GetGates(CommandResult result, IReadOnlyCollection<string> labels) =>
        new(gates.Read(result, labels), gates.Slowdown(result), gates.Earlier(result))
        {
            FailsIfUndecided = gates.FailsIfUndecided(result),
            JUnit = result.GetValue(gates.JUnit),
        };

    private ComparisonPlan PlanOfScenario(string file, ParseResult given, LogChoice log) =>
        GetPlan(named.ReadScenario(file, given, [.. gates.SeveralTimes, processing.Sinks.Writes.Write]), $"{named.Scenario.Name} {file}: ") with
        {
            Log = log,
        };

    // Parses the options stored in a result or scenario with the same command.
    private ComparisonPlan GetPlan(IReadOnlyList<string> arguments, string source)
    {
        var (again, parsed) = Parse(arguments);
        return parsed.Problems() is { Count: > 0 } problems
            ? throw new UsageException([.. problems.Select(problem => source + problem)])
            : again.GetPlan(parsed, LogChoice.Nothing) with
            {
                Arguments = [form.Name, .. arguments],
            };
    }

    private (CompareCommand Again, ParseResult Parsed) Parse(IReadOnlyList<string> arguments)
    {
        var again = new CompareCommand(components, form, settings);
        var command = again.Build(new CommandConsole(TextWriter.Null, TextWriter.Null, static _ => null), static _ => Task.FromResult(0));
        return (again, CommandHost.Parse(command, arguments));
    }

    // The load of a run is optional. A comparison always has an embedded load, with separate defaults.
    private void Describe()
    {
        foreach (var option in LoadOptions)
        {
            option.Description = LoadArguments.WithoutEmbedded(option.Description!);
        }

        Load.Events.Description = "Events in the hub, the same for all configurations, default what the fastest needs";
        Load.Profile.Description = $"Latency profile of the emulator (docs/laboratory.md), default {DefaultProfile}";
        Load.Topic.Description = "Send messages to a topic with one subscription instead of a queue";
        Load.Faults.Description = "Faults of the emulator, armed again for each cell (docs/laboratory.md)";
    }

    private IEnumerable<string> FileProblems(CommandResult result) =>
        [
            .. result.GetValue(report) is { } path && ReportFormats.Of(path) is null
                ? new[] { $"{report.Name} {path}: unknown ending of a report, allowed {string.Join(", ", ReportFormats.Endings)}" }
                : [],
            .. files.Missing(result),
            .. files.Problems(
                result,
                named =>
                    named
                        .Writes(report.Name, result.GetValue(report), OutputKind.Report)
                        .Writes(gates.JUnit.Name, result.GetValue(gates.JUnit), OutputKind.Report)
            ),
        ];

    private IEnumerable<string> ConfigurationProblems(CommandResult result)
    {
        // A strategy that sets an axis of the sweep is reported only for that problem.
        if (form.IsSweep && SweepArguments.NamesAnAxis([.. Named(result)]))
        {
            return [];
        }

        try
        {
            return services.ClientProblems(GetConfigurations(result, GetLoad(result)));
        }
        catch (UsageException wrong)
        {
            return wrong.Problems;
        }
    }

    private IReadOnlyList<ComparedConfiguration> GetConfigurations(CommandResult result, LoadOptions load) =>
        new ComparedConfigurationReader(components, processing, result, load)
        {
            Batch = form.IsSweep ? grid.OnlyBatch(result) : null,
            AreSwept = form.IsSweep,
        }.Read(strategies.Name, [.. GetTexts(result)]);

    private IEnumerable<string> GetTexts(CommandResult result) =>
        form.IsSweep ? grid.Points(result, Named(result)).Select(static point => point.Label) : Named(result);

    private IEnumerable<string> Named(CommandResult result) =>
        result.GetValue(strategies) is var texts && texts is [AllSafe]
            ? components.Strategies.Where(static known => !known.IsUnsafe).Select(static known => known.Name)
            : texts!;

    private LoadOptions GetLoad(CommandResult result) =>
        Load.Read(result, LoadArguments.Usual(processing.GetFamily(result).Name, DefaultProfile, partitions: 1));

    private TimeSpan GetWarmUp(CommandResult result) => result.GetValue(warmUp) ?? UsualTimes(result).WarmUp;

    private TimeSpan GetLength(CommandResult result) => result.GetValue(length) ?? UsualTimes(result).Length;

    private (TimeSpan WarmUp, TimeSpan Length) UsualTimes(CommandResult result) => result.GetValue(repeats) >= PublishableRepeats ? Publishable : Quick;

    private ComparisonPlan GetPlan(ParseResult parsed, LogChoice log)
    {
        var result = parsed.CommandResult;
        var blocks = result.GetValue(repeats);
        var load = GetLoad(result);
        var configurations = GetConfigurations(result, load);
        var plan = new ComparisonPlan
        {
            Id = $"{form.Name}-{Guid.NewGuid().ToString("n")[..8]}",
            Configurations = configurations,
            Repeats = blocks,
            Seed = result.GetValue(seed),
            WarmUp = GetWarmUp(result),
            Length = GetLength(result),
            Load = load with { Log = log },
            Rates = form.IsSweep ? null : result.GetValue(Load.Rate),
            IsSearch = result.GetValue(sustainable),
            Sweep = form.IsSweep ? grid.Points(result, Named(result)) : [],
            Price = result.GetValue(price),
            Arguments = [.. parsed.Tokens.Select(static token => token.Value)],
            Output = result.GetValue(files.Output),
            Report = result.GetValue(report),
            Gates = GetGates(result, [.. GetTexts(result)]),
            Metrics = metrics.Read(result),
            Services = services.Read(result, load.Clients, result.IsGiven(Load.Events)),
            Log = log,
        };
        return result.IsGiven(Load.Events) || plan.IsOpenLoop ? plan : plan with { Load = plan.Load with { Events = ComparisonDemand.GetEvents(plan) } };
    }
}
