using System.Globalization;
using System.Text;
using EventHubThroughput.Journal.Files;

namespace EventHubThroughput.Journal;

/// <summary>
/// Writes which events a consumer's handlers have acknowledged, and when it began to store a checkpoint. A line has reached the system when the call returns,
/// so it survives the end of the process. Safe for several threads.
/// </summary>
public sealed class AcknowledgementWriter : IDisposable
{
    /// <summary>The most bytes of a file: about a hundred million lines.</summary>
    public const long MostBytes = 2L * 1024 * 1024 * 1024;

    private readonly Lock gate = new();
    private readonly OutputFile file;
    private readonly long limit;
    private long length;

    private AcknowledgementWriter(OutputFile file, long length, long limit) => (this.file, this.length, this.limit) = (file, length, limit);

    /// <summary>Starts a record, readable only by its owner, in the place of an older one.</summary>
    /// <exception cref="OutputRefusedException">There is an object that is not such a record, or another process is writing it.</exception>
    public static AcknowledgementWriter Open(string path) => Open(path, MostBytes);

    internal static AcknowledgementWriter Open(string path, long limit)
    {
        var created = OutputFile.Create(path, OutputKind.Acknowledgements);
        try
        {
            var header = FormatHeader.Of(JournalFormat.AcknowledgementsName);
            created.Stream.Write(header);
            created.Place();
            return new AcknowledgementWriter(created, header.Length, limit);
        }
        catch
        {
            created.Dispose();
            throw;
        }
    }

    /// <summary>Records that a handler has acknowledged an event. Call it after the handler has returned, and before its caller continues.</summary>
    /// <exception cref="IOException">The file cannot be written, or has its largest size.</exception>
    public void Acknowledge(string partition, long sequence, string handler) =>
        Write(string.Create(CultureInfo.InvariantCulture, $"a,{partition},{sequence},{handler}\n"));

    /// <summary>Records that a checkpoint is about to be stored.</summary>
    /// <exception cref="IOException">The file cannot be written, or has its largest size.</exception>
    public void BeginCheckpoint(string partition, long position) => Write(string.Create(CultureInfo.InvariantCulture, $"c,{partition},{position}\n"));

    public void Dispose() => file.Dispose();

    private void Write(string line)
    {
        var bytes = Encoding.UTF8.GetBytes(line);
        lock (gate)
        {
            if (length + bytes.Length > limit)
            {
                throw new IOException($"the record of acknowledgements has its largest size of {limit} bytes");
            }

            // The stream has no buffer.
            file.Stream.Write(bytes);
            length += bytes.Length;
        }
    }
}
