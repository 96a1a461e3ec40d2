using System.Text.Json;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>The observed latencies of a profile, as JSON.</summary>
internal static class ObservedText
{
    public static void Write(Utf8JsonWriter json, IEnumerable<ObservedLatency> rows)
    {
        json.WriteStartArray("observed");
        foreach (var row in rows)
        {
            json.WriteStartObject();
            json.WriteString("operation", ProfileReader.GetName(row.Operation));
            json.WriteNumber("askedMeanMs", Rounded(row.AskedMeanMilliseconds));
            json.WriteNumber("askedSdMs", Rounded(row.AskedDeviationMilliseconds));
            json.WriteNumber("count", row.Count);
            json.WriteNumber("meanMs", Rounded(row.MeanMilliseconds));
            json.WriteNumber("sdMs", Rounded(row.DeviationMilliseconds));
            json.WriteNumber("p50Ms", Rounded(row.MedianMilliseconds));
            json.WriteNumber("p99Ms", Rounded(row.P99Milliseconds));
            json.WriteNumber("throttles", row.Throttles);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static double Rounded(double milliseconds) => Math.Round(milliseconds, 4);
}
