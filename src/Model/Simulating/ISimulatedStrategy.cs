namespace EventHubThroughput.Model.Simulating;

/// <summary>Decides when the writes of a partition's events begin.</summary>
internal interface ISimulatedStrategy
{
    /// <summary>Adds events that were handed over.</summary>
    /// <param name="from">The number of the first.</param>
    /// <param name="count">The number of events.</param>
    /// <param name="returned">Called when more may be handed over: immediately, or with a barrier when all of these are complete.</param>
    void Dispatch(int from, int count, Action returned);
}

/// <summary>The parts of a partition's strategy.</summary>
/// <param name="Calendar">The virtual time.</param>
/// <param name="Services">The services.</param>
/// <param name="Settings">The run.</param>
/// <param name="Rule">The rule of the strategy.</param>
/// <param name="Events">The events of the partition.</param>
/// <param name="Limits">The limits of running ahead.</param>
/// <param name="Number">The partition's number.</param>
internal sealed record StrategyParts(
    Calendar Calendar,
    SimulatedServices Services,
    ModelSettings Settings,
    StrategyRule Rule,
    SimulatedEvents Events,
    RunAhead Limits,
    int Number
)
{
    /// <summary>The most events in flight.</summary>
    public int Degree => Rule.GetDegree(Settings);
}

/// <summary>Creates the strategy of a rule.</summary>
internal static class SimulatedStrategies
{
    public static ISimulatedStrategy Create(StrategyParts parts) =>
        parts.Rule.Discipline switch
        {
            Discipline.Batch => new BatchLoop(parts.Degree, new EventWrite(parts)),
            Discipline.Pipeline => new Pipeline(parts.Degree, new EventWrite(parts)),
            Discipline.Keys => new Lanes(parts.Degree, new EventWrite(parts), LanesOfKeys(parts)),
            Discipline.Shards => new Lanes(parts.Degree, new EventWrite(parts), LanesOfShards(parts)),
            _ => new Groups(parts),
        };

    // A separate lane for each key. Events without a key follow no other.
    private static Func<int?> LanesOfKeys(StrategyParts parts) => KeyDraw.Of(parts) is { } keys ? () => keys.Next() : static () => null;

    // The hash of a key selects its shard. Events without a key go to the shards in turn.
    private static Func<int?> LanesOfShards(StrategyParts parts)
    {
        var (shards, turn) = (parts.Degree, 0);
        if (KeyDraw.Of(parts) is not { } keys)
        {
            return () => turn = (turn + 1) % shards;
        }

        var shardOf = new Dictionary<int, int>();
        return () =>
        {
            var key = keys.Next();
            if (!shardOf.TryGetValue(key, out var shard))
            {
                shardOf.Add(key, shard = KeyShard.Of(KeyShard.GetName(key), shards));
            }

            return shard;
        };
    }
}
