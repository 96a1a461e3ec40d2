using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// Writes what happens, in the one order in which it happens. Every call hands its records to the system with one write before
/// it returns, so a process that is killed afterwards has lost nothing that it told anybody. Safe for several threads.
/// </summary>
public sealed class JournalWriter : IDisposable, IAsyncDisposable
{
    private readonly Lock gate = new();

    // Everything below belongs to whoever holds the gate.
    private readonly FileStream file;
    private readonly ArrayBufferWriter<byte> lines = new(4096);
    private readonly Utf8JsonWriter json;
    private long position;
    private long tick;

    private JournalWriter(FileStream file)
    {
        this.file = file;
        json = new Utf8JsonWriter(
            lines, new JsonWriterOptions { SkipValidation = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
    }

    /// <summary>Starts a journal, readable by its owner only. What the file held before is gone.</summary>
    public static JournalWriter Open(string path)
    {
        var writer = new JournalWriter(PrivateFile.Create(path));
        try
        {
            writer.Append(PrivateFile.Header(JournalFormat.Name));
            return writer;
        }
        catch
        {
            writer.Dispose();
            throw;
        }
    }

    /// <summary>Writes one record and returns its tick. The record's own tick is not looked at.</summary>
    public long Write(JournalRecord record) => Write(new ReadOnlySpan<JournalRecord>(in record));

    /// <summary>Writes records as one, with consecutive ticks, and returns the last of them.</summary>
    public long Write(ReadOnlySpan<JournalRecord> records)
    {
        lock (gate)
        {
            lines.ResetWrittenCount();
            var next = tick;
            foreach (var record in records)
            {
                next++;
                EncodeLine(record, next);
            }

            // The tick and the position move only after the write: after a full disk the next record takes the same place.
            Append(lines.WrittenSpan);
            tick = next;
            return tick;
        }
    }

    public void Dispose()
    {
        lock (gate)
        {
            json.Dispose();
            file.Dispose();
        }
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    private void EncodeLine(JournalRecord record, long tick)
    {
        var start = lines.WrittenCount;
        json.Reset();
        RecordEncoder.Encode(json, record, tick);
        json.Flush();

        var length = lines.WrittenCount - start;
        if (length > JournalFormat.MaximumLine - JournalFormat.ChecksumLength)
        {
            throw new ArgumentException($"a journal record of {length} bytes; the limit is {JournalFormat.MaximumLine}", nameof(record));
        }

        var crc = Crc32C.Of(lines.WrittenSpan[start..]);
        var end = lines.GetSpan(JournalFormat.ChecksumLength + 1);
        end[0] = (byte)'\t';
        crc.TryFormat(end[1..], out _, "x8");
        end[JournalFormat.ChecksumLength] = (byte)'\n';
        lines.Advance(JournalFormat.ChecksumLength + 1);
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        RandomAccess.Write(file.SafeFileHandle, bytes, position);
        position += bytes.Length;
    }
}
