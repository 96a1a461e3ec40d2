using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace EventHubThroughput.Settings;

/// <summary>
/// Reads a file that the user named: only a regular file, and at most the allowed number of bytes. A pipe without a writer would block the program for ever,
/// and a device may have no end.
/// </summary>
public static partial class NamedFile
{
    // The structure of statx is the same on every architecture. That of stat differs.
    private const int StatusSize = 256;
    private const int ModeAt = 28;
    private const int TypeMask = 0xF000;
    private const int CurrentFolder = -100;
    private const uint BasicFields = 0x7FF;
    private const int LargestPiece = 1024 * 1024;
    private const string Folder = "a folder";

    /// <summary>Why a file cannot be read, by its kind: not found, is a folder, is a pipe, is a device. Null for a regular file.</summary>
    public static string? GetProblem(string path) =>
        GetOtherKind(path) is { } kind ? (kind == Folder ? $"is {kind}" : $"is {kind}, name a regular file")
        : File.Exists(path) ? null
        : "not found";

    /// <summary>
    /// The kind of an object that is not a regular file: a folder, a pipe, a socket or a device. Null for a regular file, and for a missing one.
    /// </summary>
    public static string? GetOtherKind(string path) =>
        Directory.Exists(path) ? Folder
        : !File.Exists(path) ? null
        : GetFileType(path) switch
        {
            0x1000 => "a pipe",
            0xC000 => "a socket",
            0x2000 or 0x6000 => "a device",
            _ => null,
        };

    /// <summary>Reads a whole file.</summary>
    /// <param name="called">The name of the file in the error: its option and its path, or its path.</param>
    /// <param name="path">The file.</param>
    /// <param name="limit">The most bytes that it may have.</param>
    /// <exception cref="UsageException">The file is not a regular file, is larger, or cannot be read.</exception>
    public static byte[] Read(string called, string path, int limit) =>
        TryRead(path, limit, out var problem) ?? throw new UsageException($"{called}: {problem}");

    /// <summary>Reads a whole file. Returns null and the problem if that fails.</summary>
    /// <param name="path">The file.</param>
    /// <param name="limit">The most bytes that it may have.</param>
    /// <param name="problem">It is not a regular file, is larger, or cannot be read.</param>
    public static byte[]? TryRead(string path, int limit, out string problem)
    {
        problem = GetProblem(path) ?? string.Empty;
        if (problem.Length > 0)
        {
            return null;
        }

        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            var content = file.Length <= limit ? Read(file, limit) : null;
            problem = content is null ? $"larger than {limit} bytes" : string.Empty;
            return content;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            problem = "not found";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            problem = "cannot be read";
        }

        return null;
    }

    // Also for a file that grows, or without a length, like those of /proc. Null means more than the limit.
    private static byte[]? Read(FileStream file, int limit)
    {
        using var content = new MemoryStream((int)file.Length);
        var piece = new byte[(int)Math.Min(LargestPiece, limit + 1L)];
        while (file.Read(piece) is > 0 and var read)
        {
            if (content.Length + read > limit)
            {
                return null;
            }

            content.Write(piece, 0, read);
        }

        return content.ToArray();
    }

    // 0 if the system cannot be asked: then opening the file shows the problem.
    private static int GetFileType(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return 0;
        }

        try
        {
            Span<byte> status = stackalloc byte[StatusSize];
            return Statx(CurrentFolder, path, 0, BasicFields, ref MemoryMarshal.GetReference(status)) == 0
                ? BinaryPrimitives.ReadUInt16LittleEndian(status[ModeAt..]) & TypeMask
                : 0;
        }
        catch (EntryPointNotFoundException)
        {
            // The C library is too old for the call.
            return 0;
        }
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Statx(int folder, string path, int flags, uint mask, ref byte status);
}
