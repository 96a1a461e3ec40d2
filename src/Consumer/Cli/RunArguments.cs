using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry.Otlp;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options of <c>run</c>, with their limits. No name is also an option of <c>dotnet run</c>.</summary>
/// <param name="killAtVariable">The value of <c>EHT_KILL_AT</c>, or null. It applies if the option is not given.</param>
/// <param name="components">The available strategies and sinks.</param>
internal sealed class RunArguments(string? killAtVariable, AvailableComponents components)
{
    private readonly ProcessingArguments processing = new(components);
    private readonly FileArguments files = new();
    private readonly MetricsArguments metrics = new();
    private readonly OtlpArguments otlp = new();
    private readonly MeasuringArguments measuring = new();
    private readonly KillArgument killAt = new(killAtVariable);

    private readonly Option<bool> follow = Options
        .Flag("--follow", "Run until stopped. Without it the run ends when the backlog is drained")
        .Sets(static (run, follow) => run with { Follow = follow });
    private readonly Option<bool> acceptGap = Options
        .Flag("--accept-gap", "Continue although the hub has lost events above the checkpoint, or its partitions have gaps")
        .SetsProcessing(static (processing, accepted) => processing with { AcceptGaps = accepted });
    private readonly Option<PoisonPolicy> onPoison = Options
        .Choice(
            "--on-poison",
            "What happens to an event that fails for good: it is retried for ever, becomes a dead letter, or ends the run",
            PoisonPolicy.Block,
            [("block", PoisonPolicy.Block), ("deadletter", PoisonPolicy.DeadLetter), ("stop", PoisonPolicy.Stop)]
        )
        .SetsProcessing(static (processing, policy) => processing with { OnPoison = policy });

    private readonly Option<TimeSpan?> deliveryLimit = Options
        .OptionalDuration(
            "--delivery-limit",
            "How long the hub may hold events without a delivery before the run ends, default 3m plus the times of ownership",
            ProcessingOptions.LeastDeliveryLimit,
            TimeSpan.FromHours(1)
        )
        .SetsProcessing(static (processing, limit) => processing with { DeliveryLimit = limit });

    private readonly Option<string?> run = Options.Text("--run", "The run's name, default a new one", "ID");
    private readonly Option<string?> settings = Options.HiddenText(
        "--settings",
        $"Read all options from a settings document. {RunDocument.StandardInput} is standard input",
        "FILE"
    );

    private IEnumerable<Option> All =>
        [
            processing.Dispatch.Strategy,
            processing.Dispatch.AllowUnsafe,
            processing.Dispatch.Assembly,
            .. processing.Sinks.All,
            processing.Clients,
            .. processing.Dispatch.Sizes,
            .. processing.Dispatch.Work,
            .. files.Load.All,
            follow,
            .. measuring.All,
            processing.Ownership.Identifier,
            .. processing.Ownership.Rules,
            deliveryLimit,
            .. processing.Dispatch.Limits,
            acceptGap,
            processing.RetryLimit,
            onPoison,
            .. files.All,
            run,
            .. metrics.All,
            .. otlp.All,
            killAt.Option,
        ];

    /// <summary>Adds the options and the checks between options.</summary>
    /// <param name="command">The command.</param>
    /// <param name="embedded">Whether no connection settings are present.</param>
    public void AddTo(Command command, bool embedded)
    {
        foreach (var option in (IEnumerable<Option>)[.. All, settings])
        {
            command.Options.Add(option);
        }

        processing.Dispatch.AddOwnOptionsTo(command, result => [.. new[] { processing.Dispatch.GetStrategy(result) }.OfType<StrategyDescriptor>()]);
        foreach (var option in embedded ? [] : files.Load.All)
        {
            command.Check(result =>
                result.IsGiven(option) ? $"{option.Name}: only for embedded runs, but connection settings are set in the environment" : null
            );
        }

        command.Check(result =>
            embedded && result.IsGiven(follow) ? $"{follow.Name}: needs a hub to follow, set EVENTHUB_CONNECTION_STRING and its companions" : null
        );
        command.Check(files.Load.PartitionProblem);
        command.CheckAll(files.Load.InputProblems);
        command.CheckAll(result => files.EvidenceProblems(result, embedded));
        metrics.AddChecksTo(command);
        otlp.AddChecksTo(command);
        command.Check(result => result.GetValue(run) is { } id && RunName.GetProblem(id) is { } problem ? $"{run.Name} '{id}': {problem}" : null);
        command.Check(result => processing.Ownership.GetTimes(result, UsualTimes(embedded)).Problem);
        command.Check(result => GetLimits(result) is { } limits ? processing.Dispatch.GetProblem(limits) : null);
        command.CheckAll(result =>
            GetLimits(result) is { } limits ? processing.Dispatch.UnsafeProblems(limits, result.IsGiven, processing.RetryLimit, onPoison) : []
        );
        command.CheckAll(result => files.Problems(result));
        command.CheckAll(result => embedded ? files.Missing(result) : []);
        command.Check(processing.StoreProblem);
        command.Check(result => embedded ? null : processing.Sinks.Problem(result));
        command.Check(killAt.GetProblem);
        command.CheckAll(result => SettingsProblems(result, embedded));
    }

    /// <summary>The family of clients that the command line selects.</summary>
    public ClientFamily GetFamily(CommandResult result) => processing.GetFamily(result);

    /// <summary>The requested run, from options or from a settings document.</summary>
    /// <exception cref="UsageException">The document cannot be used.</exception>
    public RunOptions Read(ParseResult parsed, bool embedded)
    {
        var result = parsed.CommandResult;
        if (result.GetValue(settings) is { } document)
        {
            return RunDocument.Read(settings.Name, document, StandardStreams.OpenInput);
        }

        var load = embedded ? LoadArguments.Usual(GetFamily(result).Name, LoadArguments.DefaultProfile, partitions: 1) : null;
        var options = processing.Read(result, processing.Dispatch.GetStrategy(result)!, UsualTimes(embedded), load);
        var (served, collector) = (metrics.Read(result), otlp.Read(result));
        return options with
        {
            Run = result.GetValue(run) ?? options.Run,
            RunIsNamed = result.GetValue(run) is not null,
            KillAt = killAt.Read(result),
            Outputs = options.Outputs with { Metrics = served, Otlp = collector },
            Load = options.Load is null ? null : options.Load with { Otlp = collector, MetricsTargets = served?.Targets },
        };
    }

    private ProcessingOptions? GetLimits(CommandResult result) =>
        processing.Dispatch.GetStrategy(result) is { } strategy ? processing.Dispatch.GetLimits(result, strategy) : null;

    private static OwnershipTimes UsualTimes(bool embedded) => embedded ? OwnershipTimes.Embedded : OwnershipTimes.Shared;

    // The document holds all settings, so an option next to it would be ignored.
    private IEnumerable<string> SettingsProblems(CommandResult result, bool embedded)
    {
        if (!result.IsGiven(settings))
        {
            return [];
        }

        return embedded
            ? [$"{settings.Name}: needs connection settings in the environment"]
            : All.Concat(processing.Dispatch.OwnOptions.All).Where(result.IsGiven).Select(option => $"{settings.Name}: cannot be combined with {option.Name}");
    }
}
