using System.Globalization;

namespace EventHubThroughput.Safety.Cells;

/// <summary>The emulator's latencies in every cell: writes of 1 to 3 ms, and, where a run must last, messages one after another.</summary>
internal static class CellProfile
{
    public static string Of(int seconds, int events) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $$"""
            {
              "name": "cell",
              "messageSend": { "meanMs": 2, "cv": 0.3, "shape": "gamma"{{(seconds == 0 ? "" : $", \"serialMs\": {1000.0 * seconds / events:0.###}")}} },
              "blobWrite": { "meanMs": 2, "cv": 0.3, "shape": "gamma" },
              "checkpointWrite": { "meanMs": 3, "cv": 0.3, "shape": "gamma" }
            }
            """
        );
}
