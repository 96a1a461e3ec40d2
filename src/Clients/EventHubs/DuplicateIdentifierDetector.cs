namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Distinguishes the ownerships of this processor from those of another one with the same identifier, by their versions. Ours are those that we wrote, and
/// those of the first look, which a predecessor with our name has left.
/// </summary>
/// <param name="identifier">The identifier that both have.</param>
/// <param name="notice">Called once with a line when there is another processor. Or null.</param>
internal sealed class DuplicateIdentifierDetector(string identifier, Action<string>? notice)
{
    private readonly Lock gate = new();

    // Under the gate: the newest version of ours by partition. Null until the first look.
    private Dictionary<string, string>? known;
    private bool noticed;

    /// <summary>Counts everything at the first look as a predecessor's. Later calls change nothing.</summary>
    public void Look(IEnumerable<Ownership> listed)
    {
        lock (gate)
        {
            known ??= listed.Where(one => one.OwnerId == identifier).ToDictionary(one => one.PartitionId, one => one.ETag, StringComparer.Ordinal);
        }
    }

    /// <summary>Records a version that we wrote.</summary>
    public void Wrote(string partitionId, string etag)
    {
        lock (gate)
        {
            known ??= new Dictionary<string, string>(StringComparer.Ordinal);
            known[partitionId] = etag;
        }
    }

    /// <summary>Whether an ownership under our name is ours. If not, its partition is left to the processor that wrote it, which is reported once.</summary>
    public bool IsOurs(string partitionId, string? etag)
    {
        lock (gate)
        {
            if (known is null || (known.TryGetValue(partitionId, out var ours) && ours == etag))
            {
                return true;
            }

            if (noticed)
            {
                return false;
            }

            noticed = true;
        }

        notice?.Invoke(
            $"warning: another processor has the name '{identifier}' and owns partition {partitionId}. It keeps its partitions. Give each processor a unique name"
        );
        return false;
    }
}
