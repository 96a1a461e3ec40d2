namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Records since when partitions have been seen without an owner. One caller at a time.</summary>
/// <param name="timeProvider">The clock.</param>
/// <param name="interval">How long a partition is left to the owners that have less than their share. Each of them looks once within this time.</param>
internal sealed class UnclaimedPartitions(TimeProvider timeProvider, TimeSpan interval)
{
    private Dictionary<string, long> since = new(StringComparer.Ordinal);

    /// <summary>Records the unclaimed partitions of a look. Every other partition has an owner.</summary>
    public void Note(IEnumerable<string> partitions)
    {
        var now = timeProvider.GetTimestamp();
        since = partitions.ToDictionary(static one => one, one => since.GetValueOrDefault(one, now), StringComparer.Ordinal);
    }

    /// <summary>The partitions that were unclaimed at every look for an interval. The clock of a look may be a little early.</summary>
    public IReadOnlySet<string> Overdue() =>
        since.Where(one => timeProvider.GetElapsedTime(one.Value) >= interval * 0.9).Select(static one => one.Key).ToHashSet(StringComparer.Ordinal);
}
