namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// How many events were completed in each tenth of a second of a section, for its first half hour, and how long they had taken. Counting takes no lock and
/// allocates nothing.
/// </summary>
/// <param name="timestampFrequency">Raw timestamps in a second.</param>
internal sealed class CompletionsOverTime(long timestampFrequency)
{
    private readonly long width = SectionTenths.GetWidth(timestampFrequency);
    private readonly int[] counts = new int[SectionTenths.Most];
    private readonly long[] ticks = new long[SectionTenths.Most];
    private readonly InFlightOverTime inFlight = new(timestampFrequency);

    /// <param name="since">Raw timestamps since the section began. A completion before it, on another thread, is counted at its beginning.</param>
    /// <param name="endToEnd">The event's time from end to end.</param>
    public void Add(long since, TimeSpan endToEnd)
    {
        var place = since <= 0 ? 0 : since / width;
        if (place < counts.Length)
        {
            Interlocked.Increment(ref counts[place]);
            Interlocked.Add(ref ticks[place], endToEnd.Ticks);
        }
    }

    /// <param name="events">The number of events that were in flight.</param>
    /// <param name="from">The beginning, in raw timestamps after the section began.</param>
    /// <param name="to">The end, in raw timestamps after the section began.</param>
    public void Held(int events, long from, long to) => inFlight.Add(events, from, to);

    /// <summary>The whole windows of this length, in order. A rest at the end is dropped, and no window begins after half an hour.</summary>
    /// <param name="length">A multiple of a tenth of a second.</param>
    /// <param name="section">How long the section was.</param>
    public IReadOnlyList<CompletionWindow> Windows(TimeSpan length, TimeSpan section)
    {
        var places = (int)Math.Round(length.TotalSeconds * SectionTenths.InASecond);
        var whole = Math.Min(counts.Length / places, (int)(section.TotalSeconds / length.TotalSeconds));
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

        return new CompletionWindow(events, events == 0 ? null : TimeSpan.FromTicks(sum / events), inFlight.GetMean(first, places));
    }
}

/// <summary>What was completed in a window.</summary>
/// <param name="Events">How many events.</param>
/// <param name="EndToEnd">The mean of their times from end to end. Null without any.</param>
/// <param name="MeanInFlight">The mean number of events in flight.</param>
internal readonly record struct CompletionWindow(int Events, TimeSpan? EndToEnd, double MeanInFlight);

/// <summary>The tenths of a second into which the first half hour of a section is divided.</summary>
internal static class SectionTenths
{
    public const int InASecond = 10;
    public const int Most = 30 * 60 * InASecond;

    /// <summary>Raw timestamps in one of them.</summary>
    public static long GetWidth(long timestampFrequency) => Math.Max(1, timestampFrequency / InASecond);
}
