namespace EventHubThroughput.Lab.Measurement;

/// <summary>A degree that a strategy has set by itself.</summary>
/// <param name="At">Since the first batch of the run. Zero before it.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Degree">The most events in flight from then on.</param>
internal readonly record struct DegreeChange(TimeSpan At, string Partition, int Degree);

/// <summary>
/// The degrees that a strategy has set by itself, in their order. When the list is full, every second one is dropped. Safe for several threads.
/// </summary>
/// <param name="most">The most that are kept. At least 2.</param>
internal sealed class DegreeHistory(int most)
{
    private readonly Lock gate = new();
    private readonly List<DegreeChange> changes = [];

    // One degree of each such number is kept: 1, and twice that each time the list is full.
    private long stride = 1;
    private long seen;

    public void Add(DegreeChange change)
    {
        lock (gate)
        {
            if (seen++ % stride != 0)
            {
                return;
            }

            if (changes.Count == most)
            {
                var place = 0;
                changes.RemoveAll(_ => place++ % 2 != 0);
                stride *= 2;
            }

            changes.Add(change);
        }
    }

    /// <summary>A copy of the degrees that are kept now.</summary>
    public IReadOnlyList<DegreeChange> Changes
    {
        get
        {
            lock (gate)
            {
                return [.. changes];
            }
        }
    }
}
