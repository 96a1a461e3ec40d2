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
    private readonly Lock _gate = new();

    // Everything below belongs to whoever holds the gate.
    private readonly FileStream _file;
    private readonly ArrayBufferWriter<byte> _lines = new(4096);
    private readonly Utf8JsonWriter _json;
    private long _position;
    private long _tick;

    private JournalWriter(FileStream file)
    {
        _file = file;
        _json = new Utf8JsonWriter(
            _lines, new JsonWriterOptions { SkipValidation = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
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
        lock (_gate)
        {
            _lines.ResetWrittenCount();
            var tick = _tick;
            foreach (var record in records)
            {
                tick++;
                EncodeLine(record, tick);
            }

            // The tick and the position move only after the write: after a full disk the next record takes the same place.
            Append(_lines.WrittenSpan);
            _tick = tick;
            return tick;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _json.Dispose();
            _file.Dispose();
        }
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    private void EncodeLine(JournalRecord record, long tick)
    {
        var start = _lines.WrittenCount;
        _json.Reset();
        RecordEncoder.Encode(_json, record, tick);
        _json.Flush();

        var length = _lines.WrittenCount - start;
        if (length > JournalFormat.MaximumLine - JournalFormat.ChecksumLength)
        {
            throw new ArgumentException($"a journal record of {length} bytes; the limit is {JournalFormat.MaximumLine}", nameof(record));
        }

        var crc = Crc32C.Of(_lines.WrittenSpan[start..]);
        var end = _lines.GetSpan(JournalFormat.ChecksumLength + 1);
        end[0] = (byte)'\t';
        crc.TryFormat(end[1..], out _, "x8");
        end[JournalFormat.ChecksumLength] = (byte)'\n';
        _lines.Advance(JournalFormat.ChecksumLength + 1);
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        RandomAccess.Write(_file.SafeFileHandle, bytes, _position);
        _position += bytes.Length;
    }
}
