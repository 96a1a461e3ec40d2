namespace EventHubThroughput.Consumer.Measurement;

/// <summary>How many events were completed in each tenth of a second of a section, for its first half hour. Counting takes no lock and allocates nothing.</summary>
/// <param name="timestampFrequency">Raw timestamps in a second.</param>
internal sealed class CompletionsOverTime(long timestampFrequency)
{
    private const int InASecond = 10;
    private const int Most = 30 * 60 * InASecond;

    private readonly long width = Math.Max(1, timestampFrequency / InASecond);
    private readonly int[] counts = new int[Most];

    /// <param name="since">Raw timestamps since the section began; what came before it, on another thread, is counted at its beginning.</param>
    public void Add(long since)
    {
        var place = since <= 0 ? 0 : since / width;
        if (place < Most)
        {
            Interlocked.Increment(ref counts[place]);
        }
    }

    /// <summary>The whole windows of this length, in order; what is left at the end is none, and none begins after half an hour.</summary>
    /// <param name="length">A multiple of a tenth of a second.</param>
    /// <param name="section">How long the section was.</param>
    public IReadOnlyList<int> Windows(TimeSpan length, TimeSpan section)
    {
        var places = (int)Math.Round(length.TotalSeconds * InASecond);
        var whole = Math.Min(Most / places, (int)(section.TotalSeconds / length.TotalSeconds));
        return [.. Enumerable.Range(0, whole).Select(window => counts.AsSpan(window * places, places).ToArray().Sum())];
    }
}
