using System.Text;

namespace EventHubThroughput.Journal;

/// <summary>Files of results: readable and writable by their owner only.</summary>
internal static class PrivateFile
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Creates or empties a file; no buffer, so that what is written has reached the system.</summary>
    public static FileStream Create(string path)
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
            Share = FileShare.Read,
            BufferSize = 0,
        };
        if (OperatingSystem.IsWindows())
        {
            return new FileStream(path, options);
        }

        // The mode of a new file is given while it is made: at no moment could another user open it.
        options.UnixCreateMode = OwnerOnly;
        var file = new FileStream(path, options);
        try
        {
            // An older file kept its mode. Devices (/dev/null) keep theirs for everybody's sake.
            if (!Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal))
            {
                File.SetUnixFileMode(file.SafeFileHandle, OwnerOnly);
            }

            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public static byte[] Header(string format) => Encoding.UTF8.GetBytes($"{{\"format\":\"{format}\",\"version\":{JournalFormat.VersionOf(format)}}}\n");
}
