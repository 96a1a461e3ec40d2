using System.Buffers;
using System.Globalization;
using System.Text;

namespace EventHubThroughput.Metrics;

/// <summary>The Prometheus text format 0.0.4.</summary>
public static class TextFormat
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    private const int LongestNumber = 32;

    internal static byte[] Header(string name, string help, MetricKind kind)
    {
        var type = kind switch
        {
            MetricKind.Counter => "counter",
            MetricKind.Gauge => "gauge",
            _ => "histogram",
        };
        return Encoding.UTF8.GetBytes($"# HELP {name} {EscapeHelp(help)}\n# TYPE {name} {type}\n");
    }

    // One prefix per line: the value's, or for a histogram each bucket's, the sum's and the count's.
    internal static byte[][] LinePrefixes(MetricFamily family, (string Name, string Value)[] labels)
    {
        if (family.Kind != MetricKind.Histogram)
        {
            return [Prefix(family.Name, labels)];
        }

        var bounds = family.UpperBounds.Select(bound => bound.ToString("R", CultureInfo.InvariantCulture)).Append("+Inf");
        var buckets = bounds.Select(bound => Prefix(family.Name + "_bucket", [.. labels, ("le", bound)]));
        return [.. buckets, Prefix(family.Name + "_sum", labels), Prefix(family.Name + "_count", labels)];
    }

    internal static void Write(IBufferWriter<byte> output, MetricFamily family)
    {
        output.Write(family.Header);
        foreach (var series in family.Snapshot)
        {
            if (series.Instrument is Histogram histogram)
            {
                Write(output, series, histogram);
            }
            else
            {
                Write(output, series.Lines[0], series.Value);
            }
        }
    }

    private static void Write(IBufferWriter<byte> output, MetricSeries series, Histogram histogram)
    {
        // The count is the last cumulative bucket, not read again: a record in between must not make the two differ.
        var cumulative = 0L;
        for (var bucket = 0; bucket < histogram.Buckets; bucket++)
        {
            cumulative += histogram.CountOf(bucket);
            Write(output, series.Lines[bucket], cumulative);
        }

        Write(output, series.Lines[^2], histogram.Sum);
        Write(output, series.Lines[^1], cumulative);
    }

    private static void Write(IBufferWriter<byte> output, byte[] prefix, double value)
    {
        output.Write(prefix);
        var target = output.GetSpan(LongestNumber);
        var length = Format(value, target);
        target[length] = (byte)'\n';
        output.Advance(length + 1);
    }

    private static int Format(double value, Span<byte> target)
    {
        var special =
            double.IsNaN(value) ? "NaN"u8
            : double.IsPositiveInfinity(value) ? "+Inf"u8
            : double.IsNegativeInfinity(value) ? "-Inf"u8
            : default;
        if (!special.IsEmpty)
        {
            special.CopyTo(target);
            return special.Length;
        }

        value.TryFormat(target, out var written, "R", CultureInfo.InvariantCulture);
        return written;
    }

    private static byte[] Prefix(string name, (string Name, string Value)[] labels)
    {
        var list = string.Join(',', labels.Select(label => $"{label.Name}=\"{EscapeLabel(label.Value)}\""));
        return Encoding.UTF8.GetBytes(labels.Length == 0 ? name + " " : $"{name}{{{list}}} ");
    }

    private static string EscapeHelp(string help) => help.Replace("\\", "\\\\").Replace("\n", "\\n");

    private static string EscapeLabel(string value) => EscapeHelp(value).Replace("\"", "\\\"");
}
