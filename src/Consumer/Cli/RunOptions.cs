using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options of <c>run</c>, with their limits. None is named like an option of <c>dotnet run</c>.</summary>
/// <param name="killAtVariable">The value of <c>EHT_KILL_AT</c>, which counts where the option is not given; or null.</param>
internal sealed partial class RunOptions(string? killAtVariable)
{
    public const string KillAtVariable = "EHT_KILL_AT";

    private const string Greedy = "greedy";
    private const string DefaultStrategy = "baseline";
    private const string DefaultProfile = "article";
    private static readonly string[] PoisonPolicies = [.. Enum.GetNames<PoisonPolicy>().Select(name => name.ToLowerInvariant())];
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan SharedLeastExpiry = 2 * Second;
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    private readonly Option<string> strategy = Options.Choice(
        "--strategy",
        "The rule of order and concurrency",
        DefaultStrategy,
        [.. BuildOffer.Current.Strategies.Select(known => known.Name)],
        BuildOffer.Current.AbsentStrategies
    );

    private readonly Option<string> clients = BuildOffer.ClientsOption();

    private readonly Option<int> degree = Options.Integer("--degree", "Most events in flight per partition", 16, 1, 4096);
    private readonly Option<int> batch = Options.Integer("--batch", "Most events in a batch", 10, 1, 10_000);
    private readonly Option<int?> prefetch = Options.OptionalInteger(
        "--prefetch",
        "Events requested ahead; 300, or 0 embedded with profile article",
        0,
        10_000
    );

    private readonly Option<int?> partitions = Options.OptionalInteger("--partitions", "Embedded: partitions of the hub; 1", 1, 1024);
    private readonly Option<int?> events = Options.OptionalInteger("--events", "Embedded: events to send and process; 600", 1, 10_000_000);
    private readonly Option<string?> profile = Options.Text("--profile", "Embedded: latency profile (docs/laboratory.md); article", "NAME|FILE.json");
    private readonly Option<int?> size = Options.OptionalInteger("--size", "Embedded: bytes of an event's body; 1024", 0, 1_000_000);
    private readonly Option<int?> keys = Options.OptionalInteger("--keys", "Embedded: number of partition keys; 0 sends without", 0, 1_000_000);
    private readonly Option<string?> keep = Options.Text("--keep", "Embedded: folder in which ledger and journal are kept", "DIR");
    private readonly Option<int?> emulatorCeiling = Options.OptionalInteger(
        "--emulator-ceiling",
        "Embedded: events/s that the emulator reaches on this machine (benchmarks/ceiling); above a third of it no rate is ranked",
        1,
        100_000_000
    );

    private readonly Option<string?> faults = Options.Text(
        "--faults",
        "Embedded: faults of the emulator, armed when the hub is filled (docs/laboratory.md)",
        "NAME,...|FILE.json"
    );

    private readonly Option<bool> follow = Options.Flag("--follow", "Run until stopped, instead of ending when the backlog is drained");
    private readonly Option<string?> identifier = Options.Text("--identifier", "The owner's name in the consumer group; a new one unless given", "NAME");
    private readonly Option<string> balancing = Options.Choice("--balancing", "How partitions are claimed", Greedy, [Greedy, "balanced"]);
    private readonly Option<TimeSpan?> balancingInterval = Options.OptionalDuration(
        "--balancing-interval",
        "Time between balancing cycles; 10s, embedded 1s",
        100 * Millisecond,
        Hour
    );

    private readonly Option<TimeSpan?> ownershipExpiry = Options.OptionalDuration(
        "--ownership-expiry",
        "Time after which an ownership not renewed may be taken; 30s, embedded 5s",
        200 * Millisecond,
        2 * Hour
    );

    private readonly Option<bool> noFencing = Options.Flag("--no-fencing", "Write checkpoints unconditionally, as the official SDKs do");
    private readonly Option<TimeSpan> drainLimit = Options.Duration(
        "--drain-limit",
        "How long writes in flight may take to finish when stopping",
        10 * Second,
        Millisecond,
        Hour
    );

    private readonly Option<int?> checkpointEvents = Options.OptionalInteger(
        "--checkpoint-events",
        "Checkpoint after so many events instead of at each batch end",
        1,
        10_000_000
    );

    private readonly Option<TimeSpan?> checkpointInterval = Options.OptionalDuration(
        "--checkpoint-interval",
        "Checkpoint after so much time instead of at each batch end; 5s beside --checkpoint-events",
        10 * Millisecond,
        Hour
    );

    private readonly Option<int?> window = Options.OptionalInteger(
        "--window",
        "Most events handed over above the low watermark; a batch, or 1024 for strategies that go on before its end",
        1,
        10_000_000
    );

    private readonly Option<int?> replayLimit = Options.OptionalInteger(
        "--replay-limit",
        "Most events handed over above the stored checkpoint, which a crash may repeat; follows from window and checkpoint events",
        1,
        100_000_000
    );

    private readonly Option<bool> acceptGap = Options.Flag("--accept-gap", "Go on although events above the checkpoint are gone from the hub");
    private readonly Option<int> retryLimit = Options.Integer("--retry-limit", "Further attempts of a write whose failure may heal", 5, 0, 1000);
    private readonly Option<string> onPoison = Options.Choice(
        "--on-poison",
        "An event that fails for good is tried for ever, stored as a dead letter, or ends the run",
        PoisonPolicies[0],
        PoisonPolicies
    );

    private readonly Option<string?> output = Options.Text("--output", "Write the results to this file (JSON)", "FILE");
    private readonly Option<string?> ledger = Options.Text("--ledger", "The sender's ledger, for the verdict", "FILE");
    private readonly Option<string?> journal = Options.Text("--journal", "The emulator's journal, for the verdict", "FILE");
    private readonly Option<string?> run = Options.Text("--run", "The run's name; a new one unless given", "ID");
    private readonly Option<int?> metricsPort = Options.OptionalInteger(
        "--metrics-port",
        "Port of /metrics; the first free one of 9464 to 9471 unless given, 0 for any",
        0,
        65_535
    );

    private readonly Option<string> metricsHost = Options.TextOr("--metrics-host", "Address on which metrics are served", "127.0.0.1", "ADDRESS");
    private readonly Option<bool> noMetrics = Options.Flag("--no-metrics", "Serve no metrics");
    private readonly Option<TimeSpan> linger = Options.Duration(
        "--linger",
        "If metrics were scraped, stay at most this long for two more scrapes",
        30 * Second,
        TimeSpan.Zero,
        Hour
    );

    private readonly Option<int?> owners = Options.OptionalInteger(
        "--owners",
        "So many consumers share the partitions, and join, leave and die beside each other",
        2,
        16
    );

    private readonly Option<string?> killAt = HiddenText("--kill-at", "Kill this process at a kill point (docs/laboratory.md)", "POINT[:N]");

    private IEnumerable<Option> All =>
        [
            strategy,
            clients,
            degree,
            batch,
            prefetch,
            partitions,
            events,
            profile,
            size,
            keys,
            keep,
            faults,
            emulatorCeiling,
            follow,
            identifier,
            balancing,
            balancingInterval,
            ownershipExpiry,
            noFencing,
            drainLimit,
            checkpointEvents,
            checkpointInterval,
            window,
            replayLimit,
            acceptGap,
            retryLimit,
            onPoison,
            output,
            ledger,
            journal,
            run,
            metricsPort,
            metricsHost,
            noMetrics,
            linger,
            killAt,
        ];

    // What a supervisor hands on to the consumers that it kills; all else it decides by itself.
    private Option[] Supervised =>
        [
            clients,
            degree,
            batch,
            prefetch,
            balancing,
            balancingInterval,
            ownershipExpiry,
            noFencing,
            drainLimit,
            checkpointEvents,
            checkpointInterval,
            retryLimit,
        ];

    private Option[] EmbeddedOnly => [partitions, events, profile, size, keys, keep, faults, emulatorCeiling];

    /// <summary>Adds the options and the checks of options against each other.</summary>
    /// <param name="command">The command.</param>
    /// <param name="embedded">Whether no connection settings are present.</param>
    public void AddTo(Command command, bool embedded)
    {
        foreach (var option in All)
        {
            command.Options.Add(option);
        }

        foreach (var option in embedded ? [] : EmbeddedOnly)
        {
            command.Check(result =>
                Given(result, option) ? $"{option.Name}: only for embedded runs, but connection settings are set in the environment" : null
            );
        }

        foreach (var option in embedded ? new Option[] { ledger, journal } : [])
        {
            command.Check(result => Given(result, option) ? $"{option.Name}: an embedded run writes its own, use --keep to have it" : null);
        }

        command.Check(result =>
            embedded && Given(result, follow) ? "--follow: needs a hub to follow, set EVENTHUB_CONNECTION_STRING and its companions" : null
        );
        command.Check(result =>
            !embedded && Given(result, ledger) != Given(result, journal)
                ? Given(result, ledger)
                    ? "--ledger: needs --journal beside it"
                    : "--journal: needs --ledger beside it"
                : null
        );
        command.Check(result => Given(result, noMetrics) && Given(result, metricsPort) ? "--metrics-port: not together with --no-metrics" : null);
        command.Check(result =>
            IPAddress.TryParse(result.GetValue(metricsHost), out _) ? null : $"--metrics-host '{result.GetValue(metricsHost)}': not an IP address"
        );
        command.Check(result =>
            result.GetValue(run) is { } id && !RunName().IsMatch(id)
                ? $"--run '{id}': allowed are up to 40 lower-case letters, digits and single hyphens between them"
                : null
        );
        command.Check(result =>
            ExpiryProblem(BalancingIntervalOf(result.GetValue(balancingInterval), embedded), OwnershipExpiryOf(result.GetValue(ownershipExpiry), embedded))
        );
        command.Check(result =>
            StrategyOf(result.GetValue(strategy)) is { } known
                ? DispatchLimits.ProblemOf(
                    known.IsBarrier,
                    result.GetValue(batch),
                    result.GetValue(degree),
                    CheckpointOptions.From(result.GetValue(checkpointEvents), result.GetValue(checkpointInterval)),
                    result.GetValue(window),
                    result.GetValue(replayLimit)
                )
                : null
        );
        command.Check(FencingProblem);
        command.Check(result => KillAtOf(result.GetValue(killAt)).Problem);
    }

    /// <summary>Adds the options that make sense for consumers that are killed and restarted.</summary>
    public void AddToSupervision(Command command)
    {
        foreach (var option in (Option[])[strategy, .. Supervised, partitions, profile, size, keys, keep, owners])
        {
            command.Options.Add(option);
        }

        command.Check(FencingProblem);
        command.Check(result => ExpiryProblem(SupervisedInterval(result), SupervisedExpiry(result)));
        command.Check(result =>
            result.GetValue(owners) is { } crew && SupervisedPartitions(result) <= crew
                ? $"--owners {crew}: must be less than the partitions ({SupervisedPartitions(result)}), or one that joins would get none"
                : null
        );
        command.Check(result =>
            result.GetValue(owners) is not null && SupervisedExpiry(result) < SharedLeastExpiry
                ? $"ownership expiry {DurationText.Format(SupervisedExpiry(result))}: must be at least {DurationText.Format(SharedLeastExpiry)} with --owners, as the store tells times in whole seconds"
                : null
        );
    }

    /// <summary>The family of clients that was named.</summary>
    public ClientFamily FamilyOf(CommandResult result) => BuildOffer.Current.FamilyOf(result.GetValue(clients)!);

    /// <summary>How many consumers share the partitions of a supervision; null for one after another.</summary>
    public int? OwnersOf(CommandResult result) => result.GetValue(owners);

    /// <summary>Whether consumers share the partitions of a supervision.</summary>
    public bool IsShared(CommandResult result) => OwnersOf(result) is not null;

    /// <summary>The strategy that was named, or the whole catalogue.</summary>
    public IReadOnlyList<StrategyDescriptor> StrategiesOf(ParseResult result) =>
        result.IsGiven(strategy) ? [StrategyOf(result.GetValue(strategy))!] : BuildOffer.Current.Strategies;

    /// <summary>What a consumer under supervision is started with.</summary>
    public IReadOnlyList<string> PassedOn(ParseResult result) =>
        [
            .. Given(result, Supervised.Except([balancingInterval, ownershipExpiry])),
            balancingInterval.Name,
            DurationText.Format(SupervisedInterval(result.CommandResult)),
            ownershipExpiry.Name,
            DurationText.Format(SupervisedExpiry(result.CommandResult)),
        ];

    /// <summary>The same and the load of a supervision, as a run of its own would read them.</summary>
    public ConsumerOptions ReadSupervised(ParseResult result)
    {
        var command = new Command("run");
        var reader = new RunOptions(killAtVariable: null);
        reader.AddTo(command, embedded: true);
        string[] load =
        [
            .. Given(result, [size, keys, keep]),
            profile.Name,
            result.GetValue(profile) ?? "none",
            partitions.Name,
            SupervisedPartitions(result.CommandResult).ToString(CultureInfo.InvariantCulture),
        ];
        return reader.Read(command.Parse([.. PassedOn(result), .. load]), embedded: true);
    }

    public ConsumerOptions Read(ParseResult result, bool embedded)
    {
        var load = embedded
            ? new EmbeddedOptions(
                result.GetValue(events) ?? 600,
                result.GetValue(partitions) ?? 1,
                result.GetValue(profile) ?? DefaultProfile,
                result.GetValue(size) ?? 1024,
                result.GetValue(keys) ?? 0,
                result.GetValue(keep),
                result.GetValue(faults),
                Clients: result.GetValue(clients)!,
                EmulatorCeiling: result.GetValue(emulatorCeiling)
            )
            : null;
        var id = result.GetValue(run) ?? Guid.NewGuid().ToString("n")[..8];
        var chosen = StrategyOf(result.GetValue(strategy))!;
        var checkpoints = CheckpointOptions.From(result.GetValue(checkpointEvents), result.GetValue(checkpointInterval));
        return new ConsumerOptions
        {
            Run = id,
            RunIsNamed = result.GetValue(run) is not null,
            Strategy = chosen,
            Clients = FamilyOf(result.CommandResult),
            Degree = result.GetValue(degree),
            Batch = result.GetValue(batch),
            Prefetch = result.GetValue(prefetch) ?? (load?.Profile == DefaultProfile ? 0 : 300),
            Identifier = result.GetValue(identifier) ?? $"consumer-{Guid.NewGuid():n}",
            Balancing = result.GetValue(balancing) == Greedy ? Balancing.Greedy : Balancing.Balanced,
            BalancingInterval = BalancingIntervalOf(result.GetValue(balancingInterval), embedded),
            OwnershipExpiry = OwnershipExpiryOf(result.GetValue(ownershipExpiry), embedded),
            Fencing = !result.GetValue(noFencing),
            DrainLimit = result.GetValue(drainLimit),
            Checkpoints = checkpoints,
            Limits = DispatchLimits.Of(
                chosen.IsBarrier,
                result.GetValue(batch),
                result.GetValue(degree),
                checkpoints,
                result.GetValue(window),
                result.GetValue(replayLimit)
            ),
            AcceptGap = result.GetValue(acceptGap),
            RetryLimit = result.GetValue(retryLimit),
            OnPoison = Enum.Parse<PoisonPolicy>(result.GetValue(onPoison)!, ignoreCase: true),
            Follow = result.GetValue(follow),
            Embedded = load,
            Output = result.GetValue(output),
            Ledger = result.GetValue(ledger),
            Journal = result.GetValue(journal),
            KillAt = KillAtOf(result.GetValue(killAt)).Order,
            Metrics = result.GetValue(noMetrics)
                ? null
                : new MetricsOptions(IPAddress.Parse(result.GetValue(metricsHost)!), result.GetValue(metricsPort), result.GetValue(linger)),
        };
    }

    private static Option<string?> HiddenText(string name, string help, string placeholder)
    {
        var option = Options.Text(name, help, placeholder);
        option.Hidden = true;
        return option;
    }

    private (KillOrder Order, string? Problem) KillAtOf(string? given)
    {
        var text = given ?? killAtVariable;
        if (string.IsNullOrWhiteSpace(text))
        {
            return default;
        }

        var problem = KillOrder.Problem(given is null ? KillAtVariable : killAt.Name, text, out var order);
        return (order, problem);
    }

    // Null for a name that the option itself has refused.
    private static StrategyDescriptor? StrategyOf(string? name) => BuildOffer.Current.Strategies.SingleOrDefault(known => known.Name == name);

    private static TimeSpan BalancingIntervalOf(TimeSpan? given, bool embedded) => given ?? (embedded ? Second : 10 * Second);

    private static TimeSpan OwnershipExpiryOf(TimeSpan? given, bool embedded) => given ?? (embedded ? 5 * Second : 30 * Second);

    // A crew is idle for a while without being dead: not so short that a busy machine makes its members lose what they have.
    private TimeSpan SupervisedInterval(CommandResult result) => result.GetValue(balancingInterval) ?? (IsShared(result) ? 500 : 200) * Millisecond;

    private TimeSpan SupervisedExpiry(CommandResult result) => result.GetValue(ownershipExpiry) ?? (IsShared(result) ? 3000 : 600) * Millisecond;

    private int SupervisedPartitions(CommandResult result) => result.GetValue(partitions) ?? 2 * (result.GetValue(owners) ?? 1);

    private static string? ExpiryProblem(TimeSpan interval, TimeSpan expiry) =>
        expiry < 2 * interval
            ? $"ownership expiry {DurationText.Format(expiry)}: must be at least 2 x the balancing interval ({DurationText.Format(interval)})"
            : null;

    private string? FencingProblem(CommandResult result) =>
        Given(result, noFencing) && result.GetValue(clients) == ClientFamily.Official
            ? $"--no-fencing: not together with --clients {ClientFamily.Official}, which never fences"
            : null;

    private static IEnumerable<string> Given(ParseResult result, IEnumerable<Option> options) =>
        options.Where(result.IsGiven).SelectMany(option => (string[])[option.Name, .. result.GetResult(option)!.Tokens.Select(token => token.Value)]);

    private static bool Given(CommandResult result, Option option) => result.GetResult(option) is { Implicit: false };

    [GeneratedRegex("^(?=.{1,40}$)[a-z0-9]+(-[a-z0-9]+)*$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex RunName();
}
