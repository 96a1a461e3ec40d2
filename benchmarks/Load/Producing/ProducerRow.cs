namespace EventHubThroughput.Load.Producing;

/// <summary>A figure of a producer of events.</summary>
/// <param name="Name">The name of the figure.</param>
/// <param name="Unit">Its unit.</param>
/// <param name="MeasureAsync">Measures it once with an otherwise idle emulator.</param>
/// <param name="Published">
/// The figures before and after the change of the Java client that these rows come from (Azure/azure-sdk-for-java #48617), in the same unit. Null where none was found.
/// </param>
internal sealed record ProducerRow(string Name, string Unit, Func<ProducerBench, CancellationToken, Task<double>> MeasureAsync, string? Published = null)
{
    private const int Bodies = 1_000;

    /// <summary>All rows, in the order in which a process measures them.</summary>
    public static IReadOnlyList<ProducerRow> All { get; } =
    [
        new("send 100 events, one batch made before", "ms", static (bench, token) => bench.SendAsync(100, token)),
        new("send 500 events", "ms", static (bench, token) => bench.SendAsync(500, token)),
        new("send 1,000 events", "ms", static (bench, token) => bench.SendAsync(Bodies, token)),
        new("make an empty batch, mean", "us", static (bench, token) => bench.CreateBatchesAsync(token), "100 and 80"),
        new("add 1,000 events to a batch", "ms", static (bench, token) => bench.FillBatchesAsync(token)),
        new("add an event with 20 properties, mean", "us", static (bench, token) => bench.AddRichAsync(token), "12.34 and 10.92"),
        new("readings of its properties until it is stored", "", static (bench, token) => bench.CountEncodesAsync(token)),
        new("buffered: the last of 10,000 is taken", "ms", static (bench, token) => bench.EnqueueAsync(token)),
        new("buffered: they are flushed", "ms", static (bench, token) => bench.FlushAsync(token)),
        new("buffered: 100,000 end to end", "events/s", static (bench, token) => bench.SendBufferedAsync(token), "15,331 and 17,026"),
        new("buffered: events that failed", "", static (bench, _) => Task.FromResult((double)bench.Failed)),
        new("100,000 in full batches, one connection", "events/s", static (bench, token) => bench.SendFullBatchesAsync(token), "93,288 and 103,170"),
    ];
}
