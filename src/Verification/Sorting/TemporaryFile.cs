using EventHubThroughput.Journal.Files;

namespace EventHubThroughput.Verification.Sorting;

/// <summary>A private file in the temporary folder, which is removed with the process.</summary>
internal sealed class TemporaryFile : IDisposable
{
    private readonly string folder;
    private readonly FileStream file;

    /// <exception cref="IOException">The folder does not exist or cannot be written.</exception>
    public TemporaryFile(string folder)
    {
        this.folder = folder;
        try
        {
            file = NamelessFile.Create(folder, "eht-verify");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Refused(exception);
        }
    }

    public long Length { get; private set; }

    /// <summary>Writes at the end.</summary>
    /// <exception cref="IOException">The folder is full.</exception>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        try
        {
            RandomAccess.Write(file.SafeFileHandle, bytes, Length);
        }
        catch (IOException exception)
        {
            throw Refused(exception);
        }

        Length += bytes.Length;
    }

    /// <summary>Fills the span from a position on.</summary>
    public void Read(long position, Span<byte> into)
    {
        while (!into.IsEmpty)
        {
            var read = RandomAccess.Read(file.SafeFileHandle, into, position);
            if (read == 0)
            {
                throw Refused(new EndOfStreamException("it is shorter than what was written"));
            }

            position += read;
            into = into[read..];
        }
    }

    public void Dispose() => file.Dispose();

    private IOException Refused(Exception exception) => new($"temporary folder {folder}: cannot be written: {exception.Message}", exception);
}
