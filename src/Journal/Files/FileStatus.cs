using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Journal.Files;

/// <summary>The status of a file in the system: its kind, its identity under any name, and its owner.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Identity">Equal for two names of one file. On Linux device and inode, elsewhere the path with its links resolved.</param>
/// <param name="Owner">The user's number. Null if the system was not asked.</param>
/// <param name="Length">Bytes of a regular file.</param>
internal readonly partial record struct FileStatus(FileKind Kind, string Identity, uint? Owner, long Length)
{
    // The structure of statx is the same on every architecture. That of stat differs.
    private const int StatusSize = 256;
    private const int OwnerAt = 20;
    private const int ModeAt = 28;
    private const int InodeAt = 32;
    private const int LengthAt = 40;
    private const int DeviceAt = 136;
    private const uint BasicFields = 0x7FF;
    private const int CurrentFolder = -100;
    private const int NoFollow = 0x100;
    private const int OfDescriptor = 0x1000;

    /// <summary>Gets the status of the file at a path. If the last part is a link and <c>followLink</c> is false, gets that of the link.</summary>
    public static FileStatus Of(string path, bool followLink)
    {
        try
        {
            return OperatingSystem.IsLinux() ? Ask(CurrentFolder, path, followLink ? 0 : NoFollow) : Guess(path, followLink);
        }
        catch (EntryPointNotFoundException)
        {
            // The C library is too old for the call.
            return Guess(path, followLink);
        }
    }

    /// <summary>Whether the open file is the one at the path, and the path is not a link.</summary>
    public static bool IsOpen(SafeFileHandle file, string path)
    {
        var named = Of(path, followLink: false);
        if (!OperatingSystem.IsLinux() || named.Owner is null)
        {
            return named.Kind != FileKind.Link;
        }

        var added = false;
        try
        {
            file.DangerousAddRef(ref added);
            return named.Kind == FileKind.Regular && Ask((int)file.DangerousGetHandle(), string.Empty, OfDescriptor).Identity == named.Identity;
        }
        finally
        {
            if (added)
            {
                file.DangerousRelease();
            }
        }
    }

    /// <summary>The number of this process's user. Null where the system has no such call.</summary>
    public static uint? CurrentUser => OperatingSystem.IsLinux() ? EffectiveUser() : null;

    private static FileStatus Ask(int folder, string path, int flags)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        if (Statx(folder, path, flags, BasicFields, ref MemoryMarshal.GetReference(status)) != 0)
        {
            return new FileStatus(FileKind.Missing, string.Empty, null, 0);
        }

        var kind = (BinaryPrimitives.ReadUInt16LittleEndian(status[ModeAt..]) & 0xF000) switch
        {
            0x8000 => FileKind.Regular,
            0x4000 => FileKind.Folder,
            0xA000 => FileKind.Link,
            0x2000 or 0x6000 => FileKind.Device,
            0x1000 or 0xC000 => FileKind.Pipe,
            _ => FileKind.Unknown,
        };
        var identity = $"{Convert.ToHexString(status[DeviceAt..(DeviceAt + 8)])}:{BinaryPrimitives.ReadUInt64LittleEndian(status[InodeAt..])}";
        return new FileStatus(
            kind,
            identity,
            BinaryPrimitives.ReadUInt32LittleEndian(status[OwnerAt..]),
            BinaryPrimitives.ReadInt64LittleEndian(status[LengthAt..])
        );
    }

    private static FileStatus Guess(string path, bool followLink)
    {
        var full = Path.GetFullPath(path);
        var file = new FileInfo(full);
        var isLink = file.LinkTarget is not null;
        if (isLink && !followLink)
        {
            return new FileStatus(FileKind.Link, full, null, 0);
        }

        var resolved = isLink ? file.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? full : full;
        var identity = OperatingSystem.IsWindows() ? resolved.ToUpperInvariant() : resolved;
        return resolved.StartsWith("/dev/", StringComparison.Ordinal) ? new FileStatus(FileKind.Device, identity, null, 0)
            : Directory.Exists(resolved) ? new FileStatus(FileKind.Folder, identity, null, 0)
            : File.Exists(resolved) ? new FileStatus(FileKind.Regular, identity, null, new FileInfo(resolved).Length)
            : new FileStatus(FileKind.Missing, identity, null, 0);
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Statx(int folder, string path, int flags, uint mask, ref byte status);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial uint EffectiveUser();
}
