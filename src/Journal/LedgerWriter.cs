using System.Text.Encodings.Web;
using System.Text.Json;
using EventHubThroughput.Journal.Files;

namespace EventHubThroughput.Journal;

/// <summary>
/// Writes what a sender tried to send and the outcomes, one line per event. Buffered: after a kill the ledger has no closing line, which shows the loss. Not
/// safe for several threads.
/// </summary>
public sealed class LedgerWriter : IDisposable
{
    private readonly OutputFile file;
    private readonly BufferedStream buffer;
    private readonly Utf8JsonWriter json;
    private long rows;
    private bool disposed;

    private LedgerWriter(OutputFile opened)
    {
        file = opened;
        buffer = new BufferedStream(file.Stream, 64 * 1024);
        json = new Utf8JsonWriter(buffer, new JsonWriterOptions { SkipValidation = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        buffer.Write(FormatHeader.Of(JournalFormat.LedgerName));
    }

    /// <summary>Starts a ledger, readable only by its owner, in the place of an older one.</summary>
    /// <exception cref="OutputRefusedException">There is an object that is not a ledger.</exception>
    public static LedgerWriter Open(string path)
    {
        var writer = OpenBeside(path);
        try
        {
            writer.Place();
            return writer;
        }
        catch
        {
            writer.Abandon();
            throw;
        }
    }

    /// <summary>Starts a ledger in the same folder as an older one, which stays until <see cref="Place"/>.</summary>
    /// <exception cref="OutputRefusedException">There is an object that is not a ledger.</exception>
    public static LedgerWriter OpenBeside(string path) => new(OutputFile.Create(path, OutputKind.Ledger));

    /// <summary>Moves the ledger to its path.</summary>
    public void Place() => file.Place();

    /// <summary>Adds one row.</summary>
    public void Write(LedgerRow row)
    {
        json.Reset();
        json.WriteStartObject();
        json.WriteString("run"u8, row.Run);
        json.WriteString("hub"u8, row.Hub);
        if (row.Key is not null)
        {
            json.WriteString("key"u8, row.Key);
        }

        json.WriteNumber("index"u8, row.Index);
        json.WriteNumber("keyIndex"u8, row.KeyIndex);
        json.WriteString("sha256"u8, row.Sha256);
        json.WriteNumber("length"u8, row.Length);
        json.WriteNumber("intended"u8, row.Intended);
        json.WriteNumber("actual"u8, row.Actual);
        json.WriteString("outcome"u8, OutcomeText.Of(row.Outcome));
        json.WriteEndObject();
        EndLine();
        rows++;
    }

    /// <summary>Writes the buffer to the system.</summary>
    public void Flush() => buffer.Flush();

    /// <summary>Writes the closing line, which shows that nothing was lost, and closes the file.</summary>
    public void Dispose()
    {
        if (disposed)
        {
            return;
        }

        disposed = true;
        try
        {
            json.Reset();
            json.WriteStartObject();
            json.WriteNumber("rows"u8, rows);
            json.WriteEndObject();
            EndLine();
        }
        finally
        {
            Close();
        }
    }

    private void Abandon()
    {
        disposed = true;
        Close();
    }

    private void Close()
    {
        try
        {
            json.Dispose();
            buffer.Dispose();
        }
        finally
        {
            file.Dispose();
        }
    }

    private void EndLine()
    {
        json.Flush();
        buffer.WriteByte((byte)'\n');
    }
}
