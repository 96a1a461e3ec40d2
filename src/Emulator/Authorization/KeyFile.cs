using System.Text;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>A key that outlives the emulator, in a file of its owner. Its content is never shown.</summary>
internal static class KeyFile
{
    private const int LargestFile = 4_096;
    private const int SmallestKey = 16;

    /// <summary>The key of a data directory: connection strings survive a restart. The first emulator makes it.</summary>
    /// <exception cref="UsageException">Readable by others, or no key.</exception>
    public static AccessKey ReadOrCreate(DataDirectory data)
    {
        var path = data.FileOf("key");
        if (!File.Exists(path))
        {
            WholeFile.Write(path, Encoding.UTF8.GetBytes(AccessKey.CreateRandom().Reveal() + "\n"));
        }

        return Read("--data", path);
    }

    /// <exception cref="UsageException">Missing, readable by others, or no key.</exception>
    public static AccessKey Read(string path) => Read("--key-file", path);

    private static AccessKey Read(string option, string path)
    {
        if (NamedFile.ProblemOf(path) is { } problem)
        {
            throw Problem(option, path, problem);
        }

        if (!OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & (UnixFileMode.GroupRead | UnixFileMode.OtherRead)) != UnixFileMode.None)
        {
            throw Problem(option, path, $"readable by other users, run: chmod 600 {path}");
        }

        return Parse(option, path);
    }

    private static AccessKey Parse(string option, string path)
    {
        var text = Encoding.UTF8.GetString(NamedFile.Read($"{option} {path}", path, LargestFile)).Trim();
        var bytes = new byte[LargestFile];
        return Convert.TryFromBase64String(text, bytes, out var written) && written >= SmallestKey
            ? new AccessKey(text)
            : throw Problem(option, path, $"holds no key, write at least {SmallestKey} bytes in base64");
    }

    private static UsageException Problem(string option, string path, string problem) => new($"{option} {path}: {problem}");
}
