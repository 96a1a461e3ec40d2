using System.Buffers;
using System.Buffers.Text;

namespace EventHubThroughput.Journal;

/// <summary>Lines that are handed to the system with one call.</summary>
internal sealed class JournalBatch(ArrayBufferWriter<byte> buffer)
{
    private const int LargestKept = 1024 * 1024;

    private static readonly ArrayBufferWriter<byte> Nothing = new(1);

    private ArrayBufferWriter<byte> lines = buffer;

    public JournalBatch()
        : this(new ArrayBufferWriter<byte>(4096)) { }

    /// <summary>Written, or failed. Under the writer's writing lock.</summary>
    public bool IsOver { get; private set; }

    public Exception? Failure { get; private set; }

    public long LastTick { get; set; }

    public ReadOnlySpan<byte> Bytes => lines.WrittenSpan;

    /// <summary>Adds one record: its tick and time in front of the encoded rest, which begins with a comma, its checksum behind.</summary>
    public void Add(long tick, long microseconds, ReadOnlySpan<byte> rest)
    {
        // Two numbers of at most 19 digits with their names, the checksum and the line's end.
        var line = lines.GetSpan(rest.Length + 64);
        "{\"t\":"u8.CopyTo(line);
        var length = 5;
        Utf8Formatter.TryFormat(tick, line[length..], out var digits);
        length += digits;
        ",\"m\":"u8.CopyTo(line[length..]);
        length += 5;
        Utf8Formatter.TryFormat(microseconds, line[length..], out digits);
        length += digits;
        rest.CopyTo(line[length..]);
        length += rest.Length;
        var checksum = Crc32C.Of(line[..length]);
        line[length] = (byte)'\t';
        checksum.TryFormat(line[(length + 1)..], out _, "x8");
        line[length + JournalFormat.ChecksumLength] = (byte)'\n';
        lines.Advance(length + JournalFormat.ChecksumLength + 1);
    }

    public void End(Exception? failure)
    {
        Failure = failure;
        IsOver = true;
    }

    /// <summary>Leaves the buffer to a batch of later: those who wait for this one still ask how it ended.</summary>
    public void Free(ref JournalBatch? spare)
    {
        if (lines.Capacity <= LargestKept)
        {
            spare ??= new JournalBatch(lines);
        }

        lines = Nothing;
    }

    public JournalBatch Reset()
    {
        lines.ResetWrittenCount();
        return this;
    }
}
