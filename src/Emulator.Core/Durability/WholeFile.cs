using System.Runtime.InteropServices;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>Small files that are there whole or not at all, whenever the process or the machine dies.</summary>
internal static partial class WholeFile
{
    /// <summary>What an unfinished write leaves behind. The next one replaces it.</summary>
    public const string TemporarySuffix = ".new";

    /// <summary>Writes beside the file, forces it to the disk and renames. The file is its owner's only.</summary>
    /// <exception cref="IOException">It could not be written. The old one is untouched.</exception>
    public static void Write(string path, ReadOnlySpan<byte> content)
    {
        var temporary = path + TemporarySuffix;

        // Removed and made anew: emptying it would follow a link.
        File.Delete(temporary);

        // Without a buffer: disposing of one writes again what could not be written.
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

    /// <summary>What a write ends with when the file has reached the limit of its size: the runtime reports it as an argument out of range.</summary>
    public static IOException MayNotGrow(ArgumentOutOfRangeException exception) => new("the file may not become larger", exception);

    /// <summary>Forces names that were added, replaced or removed to the disk. A file's own flush does not carry its name on Linux.</summary>
    public static void SynchroniseFolder(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        // The runtime opens no folders. A failure costs nothing but the death of the machine right now.
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
