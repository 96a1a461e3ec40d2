using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options of partition ownership: the owner's name, how it claims, renews and releases partitions.</summary>
internal sealed class OwnershipArguments
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    public Option<string?> Identifier { get; } =
        Options
            .Text("--identifier", "The owner's name in the consumer group, default a new one", "NAME")
            .SetsProcessing(static (processing, name) => processing with { Identifier = name ?? processing.Identifier });

    public Option<Balancing> Claiming { get; } =
        Options
            .Choice("--balancing", "How partitions are claimed", Balancing.Greedy, [("greedy", Balancing.Greedy), ("balanced", Balancing.Balanced)])
            .SetsProcessing(static (processing, claiming) => processing with { Balancing = claiming });

    public Option<TimeSpan?> Interval { get; } =
        Options
            .OptionalDuration("--balancing-interval", "Time between balancing cycles, default 10s, embedded 1s", 100 * Millisecond, Hour)
            .SetsProcessing(static (processing, time) => processing with { BalancingInterval = time ?? processing.BalancingInterval });

    public Option<TimeSpan?> Expiry { get; } =
        Options
            .OptionalDuration(
                "--ownership-expiry",
                "Time after which an ownership that is not renewed may be taken, default 30s, embedded 5s",
                200 * Millisecond,
                2 * Hour
            )
            .SetsProcessing(static (processing, time) => processing with { OwnershipExpiry = time ?? processing.OwnershipExpiry });

    public Option<string> Store { get; } =
        SharedOptions.CheckpointStore().Sets(static (run, store) => run with { Clients = AvailableComponents.GetFamily(run.Clients.Name, store) });

    public Option<bool> NoFencing { get; } =
        Options
            .Flag("--no-fencing", "Write checkpoints unconditionally, as the official SDKs do")
            .SetsProcessing(static (processing, none) => processing with { Fencing = !none });

    public Option<TimeSpan> DrainLimit { get; } =
        Options
            .Duration("--drain-limit", "How long writes in flight may take when the consumer stops", 10 * Second, Millisecond, Hour)
            .SetsProcessing(static (processing, time) => processing with { DrainLimit = time });

    /// <summary>All options except the name, which the supervisor sets.</summary>
    public Option[] Rules => [Claiming, Interval, Expiry, Store, NoFencing, DrainLimit];

    /// <summary>The times in effect.</summary>
    public OwnershipTimes GetTimes(CommandResult result, OwnershipTimes usual) =>
        new(result.GetValue(Interval) ?? usual.Interval, result.GetValue(Expiry) ?? usual.Expiry);

    /// <summary>The reason why the checkpoint store cannot be combined with the other options, or null.</summary>
    public static string? StoreProblem(string store, bool fencing, string clients) =>
        (store, fencing, clients) switch
        {
            (CheckpointStores.Own, _, _) => null,
            (_, _, not ClientFamily.Official) => $"{store}: cannot be combined with --clients {clients}, allowed with --clients {ClientFamily.Official}",
            (_, true, _) => $"{store}: it writes checkpoints unconditionally, add --no-fencing",
            _ => null,
        };
}

/// <summary>The times of partition ownership.</summary>
/// <param name="Interval">Time between two balancing cycles.</param>
/// <param name="Expiry">Time after which an ownership that was not renewed may be claimed.</param>
internal readonly record struct OwnershipTimes(TimeSpan Interval, TimeSpan Expiry)
{
    /// <summary>The default for a namespace that other consumers may use too.</summary>
    public static OwnershipTimes Shared { get; } = new(TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(30));

    /// <summary>The default for embedded runs.</summary>
    public static OwnershipTimes Embedded { get; } = new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(5));

    /// <summary>The default for consumers that are killed and restarted one after another.</summary>
    public static OwnershipTimes OneAfterAnother { get; } = new(TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(600));

    /// <summary>
    /// The default for consumers that share partitions while some leave and some are killed. A live group may be idle for a while. The expiry is long
    /// enough that members on a busy machine do not lose their partitions.
    /// </summary>
    public static OwnershipTimes BesideEachOther { get; } = new(TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(3));

    /// <summary>The reason why the two times contradict each other, or null.</summary>
    public string? Problem =>
        Expiry < 2 * Interval
            ? $"ownership expiry {DurationText.Format(Expiry)}: must be at least 2 x the balancing interval ({DurationText.Format(Interval)})"
            : null;
}
