using System.Buffers.Text;

namespace EventHubThroughput.Journal;

/// <summary>A journal on disk, read as a stream: a million records are never in memory together.</summary>
public sealed class JournalFile
{
    private readonly string path;
    private readonly Func<Stream> open;

    private JournalFile(string path, Func<Stream> open)
    {
        this.path = path;
        this.open = open;
        Start().Dispose();
    }

    /// <summary>The format's version that the journal was written in.</summary>
    public int Version { get; private set; }

    /// <summary>The version that this program writes.</summary>
    public static int NewestVersion => JournalFormat.Version;

    /// <summary>Bytes up to the end of the last complete record. Valid after <see cref="Records"/> have been read to their end.</summary>
    public long WholeBytes { get; private set; }

    /// <summary>Whether the last record is truncated. Valid after <see cref="Records"/> have been read to their end.</summary>
    public bool EndsEarly { get; private set; }

    /// <summary>The records in order of their ticks. Each enumeration reads the file again, as far as it is written then.</summary>
    /// <exception cref="JournalFormatException">At a record that is damaged or missing.</exception>
    public IEnumerable<JournalRecord> Records => Decoded();

    /// <summary>
    /// The same records as views of the file's bytes, for callers that read millions of them. The same view is used again for each record, and valid until
    /// the next one is requested.
    /// </summary>
    /// <exception cref="JournalFormatException">At a record that is damaged or missing.</exception>
    public IEnumerable<RecordView> Views => Read();

    /// <summary>Opens a journal, which may still be written by another process.</summary>
    /// <exception cref="JournalFormatException">Not a journal, or one of a newer version.</exception>
    public static JournalFile Open(string path) =>
        new(path, () => new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0));

    internal static JournalFile From(Func<Stream> open) => new("journal", open);

    private LineReader Start()
    {
        var lines = new LineReader(open(), JournalFormat.MaximumLine);
        try
        {
            if (!TryReadLine(lines, 0))
            {
                throw FormatHeader.Missing(JournalFormat.Name, path);
            }

            Version = FormatHeader.Check(lines.Line, JournalFormat.Name, path);
            return lines;
        }
        catch
        {
            lines.Dispose();
            throw;
        }
    }

    private IEnumerable<JournalRecord> Decoded()
    {
        var decoder = new RecordDecoder();
        foreach (var view in Views)
        {
            yield return decoder.Decode(view);
        }
    }

    private IEnumerable<RecordView> Read()
    {
        EndsEarly = false;
        using var lines = Start();
        var view = new RecordView();
        for (long number = 1; TryReadLine(lines, number); number++)
        {
            Read(view, lines, number);
            yield return view;
        }

        WholeBytes = lines.WholeBytes;
        EndsEarly = lines.EndsEarly;
    }

    private bool TryReadLine(LineReader lines, long number)
    {
        try
        {
            return lines.Read();
        }
        catch (JournalFormatException exception)
        {
            throw number == 0 ? FormatHeader.Missing(JournalFormat.Name, path) : Damaged(number, exception.Message);
        }
    }

    internal static void Read(RecordView view, LineReader lines, long number)
    {
        var line = lines.Line;
        var length = line.Length - JournalFormat.ChecksumLength;
        if (
            length < 0
            || line[length] != (byte)'\t'
            || !Utf8Parser.TryParse(line[(length + 1)..], out uint checksum, out var used, 'x')
            || used != JournalFormat.ChecksumLength - 1
        )
        {
            throw Damaged(number, "checksum missing");
        }

        if (checksum != Crc32C.Of(line[..length]))
        {
            throw Damaged(number, "checksum differs");
        }

        try
        {
            view.Read(lines.Buffer, lines.LineStart..(lines.LineStart + length));
        }
        catch (JournalFormatException exception)
        {
            throw Damaged(number, exception.Message);
        }

        // The writer counts from 1 without a gap, so a removed record is detected like a changed one.
        if (view.Tick != number)
        {
            throw Damaged(number, $"has tick {view.Tick}. Records are missing or out of order");
        }
    }

    private static JournalFormatException Damaged(long number, string what) => new($"journal record {number}: {what}");
}
