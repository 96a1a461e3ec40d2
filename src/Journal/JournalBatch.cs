using System.Buffers;
using System.Buffers.Text;

namespace EventHubThroughput.Journal;

/// <summary>Lines that are written with one call of the system.</summary>
internal sealed class JournalBatch(ArrayBufferWriter<byte> buffer, List<JournalBatch.Note> notes)
{
    private const int LargestKept = 1024 * 1024;

    private static readonly ArrayBufferWriter<byte> Nothing = new(1);

    private readonly List<Note> notes = notes;
    private ArrayBufferWriter<byte> lines = buffer;

    public JournalBatch()
        : this(new ArrayBufferWriter<byte>(4096), []) { }

    /// <summary>Whether it was written, or failed. Under the writer's writing lock.</summary>
    public bool IsOver { get; private set; }

    public Exception? Failure { get; private set; }

    public long LastTick { get; set; }

    public ReadOnlySpan<byte> Bytes => lines.WrittenSpan;

    /// <summary>
    /// Keeps the notes of two batches that could not be written, numbered again. Of more than 1 MiB the oldest are dropped: the operations that they record
    /// were refused.
    /// </summary>
    /// <param name="failed">The batch that could not be written.</param>
    /// <param name="next">The batch that was filled in the meantime.</param>
    /// <param name="tick">The last written tick.</param>
    public static JournalBatch KeepNotes(JournalBatch failed, JournalBatch next, long tick)
    {
        var kept = new JournalBatch { LastTick = tick };
        var excess = failed.notes.Concat(next.notes).Sum(static note => (long)note.Length) - LargestKept;
        foreach (var batch in (ReadOnlySpan<JournalBatch>)[failed, next])
        {
            foreach (var note in batch.notes)
            {
                if (excess > 0)
                {
                    excess -= note.Length;
                    continue;
                }

                kept.Add(++kept.LastTick, note.Microseconds, batch.Bytes.Slice(note.Start, note.Length), isNote: true);
            }
        }

        return kept;
    }

    /// <summary>Adds one record: its tick and time, the encoded rest, which begins with a comma, and its checksum.</summary>
    /// <param name="tick">Its tick.</param>
    /// <param name="microseconds">Its time.</param>
    /// <param name="rest">The rest.</param>
    /// <param name="isNote">Whether no caller waits until it is written, so that it must be kept after a failure.</param>
    public void Add(long tick, long microseconds, ReadOnlySpan<byte> rest, bool isNote)
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
        if (isNote)
        {
            notes.Add(new Note(microseconds, lines.WrittenCount + length, rest.Length));
        }

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

    /// <summary>Returns the buffer for a later batch: callers that wait for this one still read how it ended.</summary>
    public void Free(ref JournalBatch? spare)
    {
        if (lines.Capacity <= LargestKept)
        {
            spare ??= new JournalBatch(lines, notes);
        }

        lines = Nothing;
    }

    public JournalBatch Reset()
    {
        lines.ResetWrittenCount();
        notes.Clear();
        return this;
    }

    /// <summary>A record without a waiting caller: its time, and the start and length of its rest.</summary>
    internal readonly record struct Note(long Microseconds, int Start, int Length);
}
