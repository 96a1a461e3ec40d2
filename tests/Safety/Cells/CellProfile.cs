using System.Globalization;

namespace EventHubThroughput.Safety.Cells;

/// <summary>The emulator's latencies in every cell: writes of 1 to 3 ms, and, where a run must last, messages one after another or at a pace.</summary>
internal static class CellProfile
{
    public static string Of(FaultRow row, int events) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $$"""
            {
              "name": "cell",
              "messageSend": { "meanMs": 2, "cv": 0.3, "shape": "gamma"{{Slowness(row, events)}} },
              "blobWrite": { "meanMs": 2, "cv": 0.3, "shape": "gamma" },
              "checkpointWrite": { "meanMs": 3, "cv": 0.3, "shape": "gamma" }
            }
            """
        );

    private static string Slowness(FaultRow row, int events) =>
        row.Seconds == 0 ? ""
        : row.CountsBatches ? string.Create(CultureInfo.InvariantCulture, $", \"eventsPerSecond\": {(double)events / row.Seconds:0.###}")
        : string.Create(CultureInfo.InvariantCulture, $", \"serialMs\": {1000.0 * row.Seconds / events:0.###}");
}
