using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Globalization;

namespace EventHubThroughput.Load;

/// <summary>
/// The allocations of this process by type (event AllocationSampled, .NET 9 and later). The runtime samples one in about a hundred thousand bytes. Each
/// sample is weighted by the inverse of its probability.
/// </summary>
internal sealed class AllocationSamples : EventListener
{
    private const string Source = "Microsoft-Windows-DotNETRuntime";
    private const string Sampled = "AllocationSampled";
    private const EventKeywords Keyword = (EventKeywords)0x80000000000;
    private const double MeanDistance = 102_400;

    // Indexes in the event's payload.
    private const int TypeName = 3;
    private const int ObjectSize = 5;

    private readonly ConcurrentDictionary<string, (double Objects, double Bytes)> types = new(StringComparer.Ordinal);
    private volatile bool counts;
    private int taken;

    /// <summary>The number of samples.</summary>
    public int Taken => Volatile.Read(ref taken);

    /// <summary>The types with their share of all bytes, the largest first.</summary>
    public IReadOnlyList<(string Type, double Share)> Shares
    {
        get
        {
            var all = Objects;
            var sum = all.Sum(static one => one.Bytes);
            return [.. all.Select(one => (one.Type, one.Bytes / sum))];
        }
    }

    /// <summary>The types with the estimated number of objects and bytes, those with the most bytes first.</summary>
    public IReadOnlyList<(string Type, double Objects, double Bytes)> Objects =>
        [.. types.Select(static one => (one.Key, one.Value.Objects, one.Value.Bytes)).OrderByDescending(static one => one.Bytes)];

    /// <summary>Starts or stops counting.</summary>
    public void Toggle() => counts = !counts;

    /// <inheritdoc/>
    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == Source)
        {
            EnableEvents(eventSource, EventLevel.Informational, Keyword);
        }
    }

    /// <inheritdoc/>
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (!counts || eventData.EventName != Sampled || eventData.Payload is not { Count: > ObjectSize } payload)
        {
            return;
        }

        var size = Convert.ToDouble(payload[ObjectSize], CultureInfo.InvariantCulture);
        var standsFor = size / -double.ExpM1(-size / MeanDistance);
        types.AddOrUpdate(
            (string)payload[TypeName]!,
            static (_, added) => added,
            static (_, sum, added) => (sum.Objects + added.Objects, sum.Bytes + added.Bytes),
            (Objects: standsFor / size, Bytes: standsFor)
        );
        Interlocked.Increment(ref taken);
    }
}
