namespace EventHubThroughput.Verification.Reading;

/// <summary>Breaks of one kind of order, counted separately.</summary>
/// <param name="unit">The unit of the order: <c>Partition</c> or <c>Key</c>, the suffix of the verdict's fields.</param>
internal sealed class OrderCounters(string unit)
{
    /// <summary>Writes that began after those of later events.</summary>
    public ViolationCounter Start { get; } = new($"orderStart{unit}");

    /// <summary>Messages that were stored after those of later events.</summary>
    public ViolationCounter End { get; } = new($"orderEnd{unit}");

    /// <summary>Writes that began before the event before was complete.</summary>
    public ViolationCounter Overlap { get; } = new($"overlap{unit}");
}
