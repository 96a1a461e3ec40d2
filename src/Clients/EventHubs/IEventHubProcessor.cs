using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>How a processor claims partitions: immediately all that it needs, or one per cycle.</summary>
public enum Balancing
{
    /// <summary>Runs the next cycle immediately until it owns its share.</summary>
    Greedy,

    /// <summary>At most one claim per balancing interval.</summary>
    Balanced,
}

/// <summary>The start of a partition that has no checkpoint.</summary>
public enum StartingPosition
{
    /// <summary>At the oldest retained event.</summary>
    Earliest,

    /// <summary>After the newest event.</summary>
    Latest,
}

/// <summary>Settings of a processor. Every client family refuses values outside of the limits.</summary>
public sealed record EventHubProcessorOptions
{
    /// <summary>The largest <see cref="BatchSize"/>.</summary>
    public const int MostBatch = 10_000;

    /// <summary>The largest <see cref="Prefetch"/>.</summary>
    public const int MostPrefetch = 10_000;

    /// <summary>The longest identifier, in characters.</summary>
    public const int LongestIdentifier = 256;

    /// <summary>The longest time of any option: 1 day.</summary>
    public static readonly TimeSpan LongestTime = OptionLimits.LongestTime;

    /// <summary>The owner identifier, 1 to 256 characters. Unique among the processors of a consumer group.</summary>
    public required string Identifier { get; init; }

    /// <summary>The largest batch, in events. 1 to 10,000.</summary>
    public int BatchSize { get; init; } = 10;

    /// <summary>Events requested ahead, 0 to 10,000. 0 asks for one batch at each read.</summary>
    public int Prefetch { get; init; } = 300;

    /// <summary>With prefetch 0: how long a batch collects events after its first one. 0 to 1 day.</summary>
    public TimeSpan BuildInterval { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Time between two balancing cycles. 1 ms to 1 day.</summary>
    public TimeSpan BalancingInterval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>An ownership not renewed for this long may be taken. At least twice the balancing interval, at most 1 day.</summary>
    public TimeSpan OwnershipExpiry { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How partitions are claimed.</summary>
    public Balancing Balancing { get; init; } = Balancing.Greedy;

    /// <summary>The start of a partition without a checkpoint.</summary>
    public StartingPosition StartingPosition { get; init; } = StartingPosition.Earliest;

    /// <summary>Whether checkpoint writes are conditional on the last version that was read or written.</summary>
    public bool Fencing { get; init; } = true;

    /// <summary>
    /// Whether a gap in a partition's sequence numbers is accepted, as in hubs with log compaction. Otherwise clients that cannot decode every event end the
    /// processor at a gap that retention does not explain. The built-in clients decode every event and ignore this option.
    /// </summary>
    public bool AcceptGaps { get; init; }

    /// <summary>How long the service may be unreachable before the processor fails. 0 to 1 day.</summary>
    public TimeSpan UnreachableLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// Receives the failure that ends the processor before its partitions are closed, so that the caller can start a limit for closing them. Must not block.
    /// </summary>
    public Action<Exception>? Failing { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal IEnumerable<string> Problems()
    {
        if (string.IsNullOrWhiteSpace(Identifier) || Identifier.Length > LongestIdentifier)
        {
            yield return $"{nameof(Identifier)} '{Identifier}': allowed 1 to {LongestIdentifier} characters";
        }

        string[] beyond =
        [
            .. OptionLimits.Check(nameof(BatchSize), BatchSize, 1, MostBatch),
            .. OptionLimits.Check(nameof(Prefetch), Prefetch, 0, MostPrefetch),
            .. OptionLimits.Check(nameof(BuildInterval), BuildInterval, TimeSpan.Zero, LongestTime),
            .. OptionLimits.Check(nameof(BalancingInterval), BalancingInterval, OptionLimits.ShortestTime, LongestTime),
            .. OptionLimits.Check(nameof(OwnershipExpiry), OwnershipExpiry, OptionLimits.ShortestTime, LongestTime),
            .. OptionLimits.Check(nameof(UnreachableLimit), UnreachableLimit, TimeSpan.Zero, LongestTime),
        ];
        foreach (var problem in beyond)
        {
            yield return problem;
        }

        if (BalancingInterval <= LongestTime && OwnershipExpiry < 2 * BalancingInterval)
        {
            yield return $"{nameof(OwnershipExpiry)} {OwnershipExpiry}: at least twice {nameof(BalancingInterval)} {BalancingInterval}";
        }
    }
}

/// <summary>Claims and balances partitions through the checkpoint store and delivers their events.</summary>
public interface IEventHubProcessor
{
    /// <summary>The partitions owned now.</summary>
    IReadOnlyCollection<string> OwnedPartitions { get; }

    /// <summary>
    /// Runs until <paramref name="stoppingToken"/> is cancelled. Then it closes each partition with reason Shutdown, gives up ownership and returns. Throws
    /// when a handler throws or the service has been unreachable for too long.
    /// </summary>
    Task RunAsync(CancellationToken stoppingToken);
}
