namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Tells the ownerships of one processor from those of another that lives under the same identifier, by their versions: ours are those
/// that we wrote, and those that were there when we first looked, which a predecessor of our name has left behind.
/// </summary>
/// <param name="identifier">The identifier that both have.</param>
/// <param name="notice">Told once, in a line, that there is another one; or null.</param>
internal sealed class Namesakes(string identifier, Action<string>? notice)
{
    private readonly Lock gate = new();

    // Under the gate: the newest version of ours by partition; null until the first look.
    private Dictionary<string, string>? known;
    private bool noticed;

    /// <summary>Takes what is there at the first look for a predecessor's; later looks change nothing.</summary>
    public void Look(IEnumerable<Ownership> listed)
    {
        lock (gate)
        {
            known ??= listed.Where(one => one.OwnerId == identifier).ToDictionary(one => one.PartitionId, one => one.ETag, StringComparer.Ordinal);
        }
    }

    /// <summary>Takes note of a version that we wrote.</summary>
    public void Wrote(string partitionId, string etag)
    {
        lock (gate)
        {
            known ??= new Dictionary<string, string>(StringComparer.Ordinal);
            known[partitionId] = etag;
        }
    }

    /// <summary>Whether an ownership under our name is ours. If not, its partition is left to whoever wrote it, and that is said once.</summary>
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
