using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// As many shards as the degree: each key belongs to one by its hash, and the events of a shard are written one after another, across batches. The
/// sinks of each at once. Keys that share a shard wait for each other, which is what shards cost.
/// </summary>
/// <param name="context">Gives the sinks, the degree and the lifetime.</param>
/// <remarks>
/// Events without a key go to the shards in turn: a shard is all that writes, so that the shards alone keep the degree, and no shard gets more of
/// these events than another.
/// </remarks>
internal sealed class KeyedShardsStrategy(StrategyContext context) : IProcessingStrategy
{
    private readonly LaneWrites<int> writes = new(context);
    private int turn;

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        foreach (var receivedEvent in batch)
        {
            writes.Add(receivedEvent, receivedEvent.Key is { } key ? ShardOf(key, context.MaxConcurrency) : NextInTurn(), cancellationToken);
        }

        writes.Begin();
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancellationToken) => new(writes.DrainAsync());

    // FNV-1a over the characters, then mixed once more: the same in every process, which the runtime's hash of a text is not. The hub's own hash
    // has chosen the partition already: keys of one partition have a remainder in common, and would crowd into a few of the shards.
    private static int ShardOf(string key, int shards)
    {
        var hash = 2166136261u;
        unchecked
        {
            foreach (var letter in key)
            {
                hash = (hash ^ letter) * 16777619u;
            }

            hash = (hash ^ (hash >> 16)) * 0x7feb352du;
            hash ^= hash >> 15;
        }

        return (int)(hash % (uint)shards);
    }

    private int NextInTurn()
    {
        turn = (turn + 1) % context.MaxConcurrency;
        return turn;
    }
}
