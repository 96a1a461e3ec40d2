using System.Globalization;
using System.Text;

namespace EventHubThroughput.Journal;

/// <summary>A consumer's record of acknowledgements on disk, read as a stream.</summary>
public sealed class AcknowledgementFile
{
    private readonly string path;

    private AcknowledgementFile(string path) => this.path = path;

    /// <summary>
    /// The lines in their order. Each enumeration reads the file again. An incomplete last line is left out: its process ended before the handler's caller
    /// continued.
    /// </summary>
    /// <exception cref="JournalFormatException">At a line that is damaged.</exception>
    public IEnumerable<Acknowledgement> Lines => Read();

    /// <summary>Opens a record.</summary>
    /// <exception cref="JournalFormatException">Not a record of acknowledgements, or one of a newer version.</exception>
    public static AcknowledgementFile Open(string path)
    {
        var file = new AcknowledgementFile(path);
        file.Start().Dispose();
        return file;
    }

    private LineReader Start()
    {
        var lines = new LineReader(
            new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0),
            JournalFormat.MaximumLine
        );
        try
        {
            if (!lines.Read())
            {
                throw FormatHeader.Missing(JournalFormat.AcknowledgementsName, path);
            }

            FormatHeader.Check(lines.Line, JournalFormat.AcknowledgementsName, path);
            return lines;
        }
        catch
        {
            lines.Dispose();
            throw;
        }
    }

    private IEnumerable<Acknowledgement> Read()
    {
        using var lines = Start();
        for (long number = 1; lines.Read(); number++)
        {
            yield return Parse(Encoding.UTF8.GetString(lines.Line), number);
        }
    }

    private static Acknowledgement Parse(string line, long number) =>
        line.Split(',') switch
        {
            ["a", { Length: > 0 } partition, var text, { Length: > 0 } handler] when TryParse(text, out var sequence) => new(
                number,
                partition,
                sequence,
                handler
            ),
            ["c", { Length: > 0 } partition, var text] when TryParse(text, out var position) => new(number, partition, position, null),
            _ => throw new JournalFormatException($"acknowledgements line {number + 1}: not readable"),
        };

    private static bool TryParse(string text, out long value) => long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
}
