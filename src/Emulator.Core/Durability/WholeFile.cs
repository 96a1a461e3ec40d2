using System.Runtime.InteropServices;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>Small files that are written completely or not at all, even if the process or the machine fails.</summary>
internal static partial class WholeFile
{
    /// <summary>The suffix of an unfinished file. The next write replaces it.</summary>
    public const string TemporarySuffix = ".new";

    /// <summary>Writes a temporary file next to the target, forces it to the disk and renames it. Only the owner can read the file.</summary>
    /// <exception cref="IOException">The file could not be written. The old one is unchanged.</exception>
    public static void Write(string path, ReadOnlySpan<byte> content)
    {
        var temporary = path + TemporarySuffix;

        // Deleted and created again, because truncating would follow a link.
        File.Delete(temporary);

        // Without a buffer, because disposing a buffered stream repeats the failed write.
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.Write,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using (var file = new FileStream(temporary, options))
        {
            try
            {
                file.Write(content);
                file.Flush(flushToDisk: true);
            }
            catch (ArgumentOutOfRangeException exception)
            {
                throw MayNotGrow(exception);
            }
        }

        File.Move(temporary, path, overwrite: true);
        SynchroniseFolder(Path.GetDirectoryName(path)!);
    }

    /// <summary>The failure of a write that reaches the limit of the file size. The runtime reports it as an argument out of range.</summary>
    public static IOException MayNotGrow(ArgumentOutOfRangeException exception) => new("the file may not become larger", exception);

    /// <summary>Forces added, replaced or removed names to the disk. On Linux, flushing a file does not flush its name.</summary>
    public static void SynchroniseFolder(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        // The runtime cannot open folders. A failure matters only if the machine fails at this moment.
        var descriptor = Open(path, 0);
        if (descriptor >= 0)
        {
            _ = Flush(descriptor);
            _ = Close(descriptor);
        }
    }

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Flush(int descriptor);

    [LibraryImport("libc", EntryPoint = "close")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Close(int descriptor);
}
