using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>A sender's ledger on disk, read as a stream.</summary>
public sealed class LedgerFile
{
    private readonly string path;
    private readonly Func<Stream> open;

    private LedgerFile(string path, Func<Stream> open)
    {
        this.path = path;
        this.open = open;
        Start().Dispose();
    }

    /// <summary>
    /// Whether the closing line is missing: the sender was killed, or the file was truncated. Valid after <see cref="Rows"/> have been read to their end.
    /// </summary>
    public bool EndsEarly { get; private set; }

    /// <summary>The rows in the order in which the sender received their outcome. Each enumeration reads the file again.</summary>
    /// <exception cref="JournalFormatException">At a line that is damaged.</exception>
    public IEnumerable<LedgerRow> Rows => Read();

    /// <summary>Opens a ledger.</summary>
    /// <exception cref="JournalFormatException">Not a ledger, or one of a newer version.</exception>
    public static LedgerFile Open(string path) =>
        new(path, () => new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0));

    internal static LedgerFile From(Func<Stream> open) => new("ledger", open);

    private LineReader Start()
    {
        var lines = new LineReader(open(), JournalFormat.MaximumLine);
        try
        {
            // Without a line it is empty and has no header.
            TryReadLine(lines, 1);
            FormatHeader.Check(lines.Line, JournalFormat.LedgerName, path);
            return lines;
        }
        catch
        {
            lines.Dispose();
            throw;
        }
    }

    private IEnumerable<LedgerRow> Read()
    {
        var closed = false;
        using var lines = Start();
        for (long number = 2; TryReadLine(lines, number); number++)
        {
            if (closed)
            {
                throw Damaged(number, "follows the closing line");
            }

            var row = Parse(lines.Line, number);
            if (row is null)
            {
                closed = true;
                continue;
            }

            yield return row;
        }

        EndsEarly = lines.EndsEarly || !closed;
    }

    private bool TryReadLine(LineReader lines, long number)
    {
        try
        {
            return lines.Read();
        }
        catch (JournalFormatException exception)
        {
            throw number == 1 ? FormatHeader.Missing(JournalFormat.LedgerName, path) : Damaged(number, exception.Message);
        }
    }

    /// <summary>The row of a line, or null for a closing line with the right count of rows.</summary>
    private static LedgerRow? Parse(ReadOnlySpan<byte> line, long number)
    {
        LedgerFields fields;
        try
        {
            fields = LedgerFields.Read(line);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or FormatException)
        {
            throw Damaged(number, "not readable");
        }

        if (fields.Rows is { } rows)
        {
            return rows == number - 2 ? null : throw Damaged(number, $"counts {rows} rows, but the file has {number - 2}");
        }

        return fields.ToRow() ?? throw Damaged(number, "a field is missing");
    }

    private static JournalFormatException Damaged(long number, string what) => new($"ledger line {number}: {what}");
}
