namespace EventHubThroughput.Journal.Files;

/// <summary>Private files of one process, which no other process can find.</summary>
public static class NamelessFile
{
    /// <summary>
    /// Creates a file only for its owner. Where the system allows it the file never has a name, so that nothing is left after any end of the process.
    /// Elsewhere it is removed when it is closed.
    /// </summary>
    /// <param name="folder">The folder whose space it uses.</param>
    /// <param name="prefix">The prefix of the name that the file has for a moment, or on Windows until it is closed.</param>
    /// <returns>A stream over it, for reading and writing, without a buffer.</returns>
    /// <exception cref="IOException">The folder does not exist or is full.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public static FileStream Create(string folder, string prefix)
    {
        var path = Path.Combine(folder, $"{prefix}-{Guid.NewGuid():N}");
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
}
