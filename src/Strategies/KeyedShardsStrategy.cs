using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// The degree is the number of shards. The hash of a key selects its shard, and the events of a shard are written one after another, across batches. The
/// sinks of each event run concurrently. Keys of one shard wait for each other, which is the cost of shards.
/// </summary>
/// <param name="context">Has the sinks, the degree and the lifetime.</param>
/// <remarks>
/// Events without a key go to the shards in turn. Only shards write, so they alone keep the degree, and each shard gets the same share of these events.
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
            writes.Add(receivedEvent, receivedEvent.Key is { } key ? GetShard(key, context.MaxConcurrency) : NextInTurn(), cancellationToken);
        }

        writes.Begin();
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancellationToken) => new(writes.DrainAsync());

    // FNV-1a over the characters, then mixed again. It is the same in every process, unlike the runtime's hash of a text. The hub's hash has chosen the
    // partition already: keys of one partition have the same remainder, and would concentrate in a few of the shards.
    private static int GetShard(string key, int shards)
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
