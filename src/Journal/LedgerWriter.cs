using System.Text.Encodings.Web;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// Writes what a sender meant and what became of it, one line an event. Buffered: after a kill the ledger has no closing line
/// and says so. Not safe for several threads.
/// </summary>
public sealed class LedgerWriter : IDisposable
{
    private readonly BufferedStream _buffer;
    private readonly Utf8JsonWriter _json;
    private long _rows;
    private bool _disposed;

    private LedgerWriter(FileStream file)
    {
        _buffer = new BufferedStream(file, 64 * 1024);
        _json = new Utf8JsonWriter(
            _buffer, new JsonWriterOptions { SkipValidation = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        _buffer.Write(PrivateFile.Header(JournalFormat.LedgerName));
    }

    /// <summary>Starts a ledger, readable by its owner only. What the file held before is gone.</summary>
    public static LedgerWriter Open(string path) => new(PrivateFile.Create(path));

    /// <summary>Adds one row.</summary>
    public void Write(LedgerRow row)
    {
        _json.Reset();
        _json.WriteStartObject();
        _json.WriteString("run"u8, row.Run);
        _json.WriteString("hub"u8, row.Hub);
        if (row.Key is not null)
        {
            _json.WriteString("key"u8, row.Key);
        }

        _json.WriteNumber("index"u8, row.Index);
        _json.WriteNumber("keyIndex"u8, row.KeyIndex);
        _json.WriteString("sha256"u8, row.Sha256);
        _json.WriteNumber("length"u8, row.Length);
        _json.WriteNumber("intended"u8, row.Intended);
        _json.WriteNumber("actual"u8, row.Actual);
        _json.WriteString("outcome"u8, OutcomeText.Of(row.Outcome));
        _json.WriteEndObject();
        EndLine();
        _rows++;
    }

    /// <summary>Hands what is buffered to the system.</summary>
    public void Flush() => _buffer.Flush();

    /// <summary>Writes the closing line, which tells that nothing was lost after it, and closes the file.</summary>
    public void Dispose()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        try
        {
            _json.Reset();
            _json.WriteStartObject();
            _json.WriteNumber("rows"u8, _rows);
            _json.WriteEndObject();
            EndLine();
            _buffer.Flush();
        }
        finally
        {
            _json.Dispose();
            _buffer.Dispose();
        }
    }

    private void EndLine()
    {
        _json.Flush();
        _buffer.WriteByte((byte)'\n');
    }
}
