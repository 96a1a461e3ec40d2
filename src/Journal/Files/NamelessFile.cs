namespace EventHubThroughput.Journal.Files;

/// <summary>Files of one process alone, which nobody else is to find.</summary>
public static class NamelessFile
{
    /// <summary>
    /// Makes a file for its owner only. Where the system allows it the file has no name from its first moment on, so that nothing is left
    /// behind whatever ends the process. Elsewhere it goes when it is closed.
    /// </summary>
    /// <param name="folder">Where it takes its room.</param>
    /// <param name="prefix">How the name begins that it has for a moment, or on Windows until it is closed.</param>
    /// <returns>A stream over it, for reading and writing, without a buffer.</returns>
    /// <exception cref="IOException">The folder is not there or is full.</exception>
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
