namespace EventHubThroughput.Verification.Sorting;

/// <summary>
/// A file of our own in the temporary folder, for its owner only. Where the system allows it the file has no name from its first
/// moment on, so that nothing is left behind whatever ends the process.
/// </summary>
internal sealed class TemporaryFile : IDisposable
{
    private readonly string folder;
    private readonly FileStream file;

    /// <exception cref="IOException">The folder is not there or cannot be written.</exception>
    public TemporaryFile(string folder)
    {
        this.folder = folder;
        try
        {
            file = Create(Path.Combine(folder, $"eht-verify-{Guid.NewGuid():N}"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Refused(exception);
        }
    }

    public long Length { get; private set; }

    /// <summary>Writes behind what is there.</summary>
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

    /// <summary>Fills all of the span from a position on.</summary>
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

    private static FileStream Create(string path)
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = FileShare.Delete,
            BufferSize = 0,
        };
        if (OperatingSystem.IsWindows())
        {
            options.Options = FileOptions.DeleteOnClose;
            return new FileStream(path, options);
        }

        options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var created = new FileStream(path, options);
        File.Delete(path);
        return created;
    }

    private IOException Refused(Exception exception) => new($"temporary folder {folder}: cannot be written: {exception.Message}", exception);
}
