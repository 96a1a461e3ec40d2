using System.IO.Compression;

namespace EventHubThroughput.Sender.Input;

/// <summary>The bytes of a file, unpacked if its name ends in <c>.gz</c>.</summary>
internal static class InputBytes
{
    public const string Packed = ".gz";

    public static Stream Open(string path)
    {
        var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        return IsPacked(path) ? new GZipStream(file, CompressionMode.Decompress) : file;
    }

    public static bool IsPacked(string path) => path.EndsWith(Packed, StringComparison.OrdinalIgnoreCase);
}
