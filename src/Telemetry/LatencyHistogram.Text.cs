using System.Buffers.Text;
using System.Text;

namespace EventHubThroughput.Telemetry;

/// <content>
/// A histogram as text, to be stored in files and merged later. The text is the Base64 of the version (one byte, 1) and varints (seven bits a byte, the
/// lowest first, in the shortest form). The first varint is the number of filled buckets. Each of them follows in order, with its distance from the one
/// before (for the first one: its place plus 1) and its count. Then follow the count of all, and in nanoseconds their sum, the smallest and the largest. The
/// last is the number of clamped values. Equal histograms have equal texts.
/// </content>
public sealed partial class LatencyHistogram
{
    private const byte TextVersion = 1;

    /// <summary>Parses a result of <see cref="ToText"/>.</summary>
    /// <exception cref="FormatException">The text is of another form, damaged, or of a later version.</exception>
    public static LatencyHistogram Parse(string text)
    {
        if (!Base64.IsValid(text))
        {
            throw new FormatException("a histogram's text is Base64, and this is not");
        }

        using var reader = new TextReader(Convert.FromBase64String(text));
        var histogram = new LatencyHistogram();
        histogram.Fill(reader);
        return histogram.ToText() == text ? histogram : throw new FormatException("the histogram's text is not in its shortest form");
    }

    /// <summary>All counts, as text. Call it when recording has stopped.</summary>
    public string ToText()
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes, Encoding.UTF8);
        writer.Write(TextVersion);
        writer.Write7BitEncodedInt64(counts.LongCount(static here => here > 0));
        var before = -1;
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            if (Volatile.Read(ref counts[bucket]) is var here and > 0)
            {
                writer.Write7BitEncodedInt64(bucket - before);
                writer.Write7BitEncodedInt64(here);
                before = bucket;
            }
        }

        foreach (
            var total in (ReadOnlySpan<long>)[Count, Volatile.Read(ref sum), Count > 0 ? Volatile.Read(ref smallest) : 0, Volatile.Read(ref largest), Clamped]
        )
        {
            writer.Write7BitEncodedInt64(total);
        }

        writer.Flush();
        return Convert.ToBase64String(bytes.GetBuffer(), 0, (int)bytes.Length);
    }

    private void Fill(TextReader reader)
    {
        var before = -1L;
        var all = (Int128)0;
        for (var left = reader.Next(Buckets); left > 0; left--)
        {
            before += reader.Next(Buckets);
            var here = reader.Next(long.MaxValue);
            Require(here > 0 && before is >= 0 and < Buckets && counts[before] == 0, "its buckets are not in order");
            counts[before] = here;
            all += here;
        }

        count = reader.Next(long.MaxValue);
        sum = reader.Next(long.MaxValue);
        var (least, most) = (reader.Next(LongestNanoseconds), reader.Next(LongestNanoseconds));
        clamped = reader.Next(count);
        Require(reader.IsAtEnd, "something follows it");
        Require(all == count, "its buckets do not add up to its count");
        Require((Int128)count * least <= sum && sum <= (Int128)count * most, "its sum does not fit its bounds");
        if (count > 0)
        {
            Require(
                before == GetBucket(most) && Array.FindIndex(counts, static here => here > 0) == GetBucket(least),
                "its bounds are not in its outer buckets"
            );
            smallest = least;
        }

        largest = most;
    }

    private static void Require(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new FormatException($"the histogram's text is damaged: {otherwise}");
        }
    }

    private sealed class TextReader : IDisposable
    {
        private readonly BinaryReader reader;

        public TextReader(byte[] bytes)
        {
            reader = new BinaryReader(new MemoryStream(bytes, writable: false));
            Require(bytes.Length > 0, "it is empty");
            var version = reader.ReadByte();
            if (version != TextVersion)
            {
                throw new FormatException($"the histogram's text is of version {version}, and only {TextVersion} is known");
            }
        }

        public void Dispose() => reader.Dispose();

        public bool IsAtEnd => reader.BaseStream.Position == reader.BaseStream.Length;

        public long Next(long most)
        {
            try
            {
                var value = reader.Read7BitEncodedInt64();
                Require(value >= 0 && value <= most, $"{value} is beyond {most}");
                return value;
            }
            catch (EndOfStreamException failure)
            {
                throw new FormatException("the histogram's text is damaged: it ends too early", failure);
            }
        }
    }
}
