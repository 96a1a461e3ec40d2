using System.Buffers;

namespace EventHubThroughput.Telemetry;

/// <summary>The Prometheus text format 0.0.4.</summary>
public static class TextFormat
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    /// <summary>
    /// Replaces the count of each histogram by that of its last bucket. The format requires the two to be equal. Prometheus-net sums the count first, so
    /// values recorded before it reads the buckets are only in these.
    /// </summary>
    internal static ReadOnlyMemory<byte> WithCountsOfBuckets(ReadOnlySpan<byte> text)
    {
        var output = new ArrayBufferWriter<byte>(Math.Max(1, text.Length));
        ReadOnlySpan<byte> histogram = default;
        ReadOnlySpan<byte> count = default;
        foreach (var range in text.Split((byte)'\n'))
        {
            var line = text[range];
            if (line.StartsWith("# TYPE "u8))
            {
                histogram = GetHistogram(line);
            }

            if (histogram.IsEmpty || !line.StartsWith(histogram))
            {
                WriteLine(output, line, default);
            }
            else if (line[histogram.Length..].StartsWith("_count"u8))
            {
                count = line[..GetValue(line)];
            }
            else
            {
                WriteLine(output, line, default);
                if (line[..GetValue(line)].EndsWith("le=\"+Inf\"} "u8))
                {
                    WriteLine(output, count, line[GetValue(line)..]);
                }
            }
        }

        // The bytes after the last line's end are not a line.
        return output.WrittenMemory[..^1];
    }

    // The name in "# TYPE NAME histogram". Empty for other kinds.
    private static ReadOnlySpan<byte> GetHistogram(ReadOnlySpan<byte> type) =>
        type.EndsWith(" histogram"u8) ? type["# TYPE ".Length..^" histogram".Length] : default;

    // The start of a sample's value.
    private static int GetValue(ReadOnlySpan<byte> line) => line.LastIndexOf((byte)' ') + 1;

    private static void WriteLine(ArrayBufferWriter<byte> output, ReadOnlySpan<byte> start, ReadOnlySpan<byte> end)
    {
        output.Write(start);
        output.Write(end);
        output.Write("\n"u8);
    }
}
