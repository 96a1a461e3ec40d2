namespace EventHubThroughput.Emulator.EventHubs;

internal enum JoinVerdict
{
    Accepted,

    /// <summary>A reader with a higher owner level is attached.</summary>
    Stolen,

    /// <summary>Five readers without an owner level are attached.</summary>
    TooMany,
}

/// <summary>A reader that a newer one can evict. Called under the gate of the roster, so it only starts the eviction.</summary>
internal interface IEvictable
{
    void Evict(long? byOwnerLevel);
}

/// <summary>
/// The readers of one partition for one consumer group. A reader with an owner level (epoch) evicts every reader with the same or a lower level, or without
/// one. Up to five readers without a level are allowed. Safe for several threads.
/// </summary>
internal sealed class PartitionReaders
{
    public const int MaximumWithoutLevel = 5;

    private readonly Lock _gate = new();

    // Guarded by the gate.
    private readonly List<IEvictable> _readers = [];
    private long? _level;

    public JoinVerdict TryJoin(IEvictable reader, long? ownerLevel)
    {
        lock (_gate)
        {
            if (_readers.Count > 0 && _level is { } level && (ownerLevel is not { } asked || asked < level))
            {
                return JoinVerdict.Stolen;
            }

            if (ownerLevel is null && _readers.Count >= MaximumWithoutLevel)
            {
                return JoinVerdict.TooMany;
            }

            if (ownerLevel is not null)
            {
                foreach (var other in _readers)
                {
                    other.Evict(ownerLevel);
                }

                _readers.Clear();
            }

            _readers.Add(reader);
            _level = ownerLevel;
            return JoinVerdict.Accepted;
        }
    }

    public void Leave(IEvictable reader)
    {
        lock (_gate)
        {
            _readers.Remove(reader);
        }
    }
}
