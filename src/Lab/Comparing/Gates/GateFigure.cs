using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Gates;

/// <summary>A figure of a cell that a gate can ask for.</summary>
/// <param name="Name">The name as it is written after a strategy's label.</param>
/// <param name="Meaning">What it is, with its unit.</param>
/// <param name="Of">Reads it. Null where the cell has none.</param>
internal sealed record GateFigure(string Name, string Meaning, Func<RunResult, double?> Of)
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<GateFigure> All { get; } =
    [
        new("rate", "events a second", static result => result.Throughput.EventsPerS),
        new("p50", "median of an event's time, in ms", static result => result.Stages.GetValueOrDefault("event")?.P50Ms),
        new("p99", "percentile 99 of an event's time, in ms", static result => result.Stages.GetValueOrDefault("event")?.P99Ms),
        new("endtoend50", "median of an event's time since its scheduled send time, in ms", static result => ComparedFigure.EndToEnd(result)?.P50Ms),
        new("endtoend99", "percentile 99 of that time, in ms", static result => ComparedFigure.EndToEnd(result)?.P99Ms),
        new("endtoend999", "percentile 99.9 of that time, in ms", static result => ComparedFigure.EndToEnd(result)?.P999Ms),
        new("cpu", "processor time of the consumer for an event, in us", static result => result.Resources.Consumer.CpuUsPerEvent),
        new("allocated", "managed memory for an event, in bytes", static result => result.Resources.Consumer.AllocatedBytesPerEvent),
        new("memory", "largest resident memory of the consumer, in bytes", static result => result.Resources.Consumer.PeakRssBytes),
    ];
}
