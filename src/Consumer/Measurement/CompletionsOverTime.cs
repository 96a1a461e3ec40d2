namespace EventHubThroughput.Consumer.Measurement;

/// <summary>
/// How many events were completed in each tenth of a second of a section, for its first half hour, and how long they had taken. Counting takes no lock and
/// allocates nothing.
/// </summary>
/// <param name="timestampFrequency">Raw timestamps in a second.</param>
internal sealed class CompletionsOverTime(long timestampFrequency)
{
    private const int InASecond = 10;
    private const int Most = 30 * 60 * InASecond;

    private readonly long width = Math.Max(1, timestampFrequency / InASecond);
    private readonly int[] counts = new int[Most];
    private readonly long[] ticks = new long[Most];

    /// <param name="since">Raw timestamps since the section began; what came before it, on another thread, is counted at its beginning.</param>
    /// <param name="endToEnd">The event's time from end to end.</param>
    public void Add(long since, TimeSpan endToEnd)
    {
        var place = since <= 0 ? 0 : since / width;
        if (place < Most)
        {
            Interlocked.Increment(ref counts[place]);
            Interlocked.Add(ref ticks[place], endToEnd.Ticks);
        }
    }

    /// <summary>The whole windows of this length, in order; what is left at the end is none, and none begins after half an hour.</summary>
    /// <param name="length">A multiple of a tenth of a second.</param>
    /// <param name="section">How long the section was.</param>
    public IReadOnlyList<CompletionWindow> Windows(TimeSpan length, TimeSpan section)
    {
        var places = (int)Math.Round(length.TotalSeconds * InASecond);
        var whole = Math.Min(Most / places, (int)(section.TotalSeconds / length.TotalSeconds));
        return [.. Enumerable.Range(0, whole).Select(window => Of(window * places, places))];
    }

    private CompletionWindow Of(int first, int places)
    {
        var (events, sum) = (0, 0L);
        for (var place = first; place < first + places; place++)
        {
            events += counts[place];
            sum += ticks[place];
        }

        return new CompletionWindow(events, events == 0 ? null : TimeSpan.FromTicks(sum / events));
    }
}

/// <summary>What was completed in a window.</summary>
/// <param name="Events">How many events.</param>
/// <param name="EndToEnd">The mean of their times from end to end; null without any.</param>
internal readonly record struct CompletionWindow(int Events, TimeSpan? EndToEnd);
