namespace EventHubThroughput.Journal;

/// <summary>Follows a journal that is being written: each look returns the records since the last one. One caller at a time.</summary>
public sealed class JournalTail : IDisposable
{
    private readonly RecordView view = new();
    private readonly RecordDecoder decoder = new();
    private readonly LineReader lines;
    private long number;

    private JournalTail(LineReader opened) => lines = opened;

    /// <summary>Opens a journal at its beginning.</summary>
    /// <exception cref="JournalFormatException">Not a journal, or one of a newer version.</exception>
    public static JournalTail Open(string path)
    {
        var opened = new LineReader(
            new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0),
            JournalFormat.MaximumLine
        );
        try
        {
            if (!opened.Read())
            {
                throw FormatHeader.Missing(JournalFormat.Name, path);
            }

            FormatHeader.Check(opened.Line, JournalFormat.Name, path);
            return new JournalTail(opened);
        }
        catch
        {
            opened.Dispose();
            throw;
        }
    }

    /// <summary>The complete records since the last look. Records that a caller does not read are returned by the next look.</summary>
    /// <exception cref="JournalFormatException">At a record that is damaged or missing.</exception>
    public IEnumerable<JournalRecord> Look()
    {
        while (lines.Read())
        {
            JournalFile.Read(view, lines, ++number);
            yield return decoder.Decode(view);
        }
    }

    public void Dispose() => lines.Dispose();
}
