using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>A key that outlives the emulator, in a file of its owner. Its content is never shown.</summary>
internal static class KeyFile
{
    private const int LargestFile = 4_096;
    private const int SmallestKey = 16;

    /// <exception cref="UsageException">Missing, readable by others, or no key.</exception>
    public static AccessKey Read(string path)
    {
        if (Directory.Exists(path))
        {
            throw Problem(path, "is a folder");
        }

        if (!File.Exists(path))
        {
            throw Problem(path, "not found");
        }

        if (!OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & (UnixFileMode.GroupRead | UnixFileMode.OtherRead)) != UnixFileMode.None)
        {
            throw Problem(path, $"readable by other users, run: chmod 600 {path}");
        }

        return Parse(path);
    }

    private static AccessKey Parse(string path)
    {
        string text;
        try
        {
            text = new FileInfo(path).Length <= LargestFile ? File.ReadAllText(path).Trim() : string.Empty;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Problem(path, "cannot be read");
        }

        var bytes = new byte[LargestFile];
        return Convert.TryFromBase64String(text, bytes, out var written) && written >= SmallestKey
            ? new AccessKey(text)
            : throw Problem(path, $"holds no key, write at least {SmallestKey} bytes in base64");
    }

    private static UsageException Problem(string path, string problem) => new([$"--key-file {path}: {problem}"]);
}
