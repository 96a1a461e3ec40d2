namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The time that events were in flight in each tenth of a second of a section, for its first half hour. Counting takes no lock and allocates nothing.
/// </summary>
/// <param name="timestampFrequency">Raw timestamps in a second.</param>
internal sealed class InFlightOverTime(long timestampFrequency)
{
    private readonly long width = SectionTenths.GetWidth(timestampFrequency);
    private readonly long[] held = new long[SectionTenths.Most];

    /// <param name="events">The number of events that were in flight.</param>
    /// <param name="from">The beginning, in raw timestamps after the section began.</param>
    /// <param name="to">The end, in raw timestamps after the section began.</param>
    public void Add(int events, long from, long to)
    {
        for (var place = from / width; events > 0 && from < to && place < held.Length; place++)
        {
            var until = Math.Min(to, (place + 1) * width);
            Interlocked.Add(ref held[place], events * (until - from));
            from = until;
        }
    }

    /// <summary>The mean number of events in flight over <paramref name="tenths"/> tenths of a second from the first one.</summary>
    public double GetMean(int first, int tenths) => (double)held.AsSpan(first, tenths).ToArray().Sum() / (tenths * width);
}
