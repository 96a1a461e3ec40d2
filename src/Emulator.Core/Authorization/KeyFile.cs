using System.Text;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>A key that survives a restart, in a file that only its owner can read. Its content is never shown.</summary>
internal static class KeyFile
{
    private const string FileName = "key";
    private const int LargestFile = 4_096;
    private const int SmallestKey = 16;

    /// <summary>Reads the key of a data directory, so that connection strings survive a restart. The first start creates it.</summary>
    /// <exception cref="EmulatorException">The file cannot be written, other users can read it, or it holds no key.</exception>
    public static AccessKey ReadOrCreate(DataDirectory data)
    {
        var path = data.GetFile(FileName);
        if (!File.Exists(path))
        {
            data.WriteFile(FileName, Encoding.UTF8.GetBytes(AccessKey.CreateRandom().Reveal() + "\n"));
        }

        return Read(EmulatorSetting.DataPath, path);
    }

    /// <exception cref="EmulatorException">The file is missing, other users can read it, or it holds no key.</exception>
    public static AccessKey Read(string path) => Read(EmulatorSetting.Key, path);

    private static AccessKey Read(EmulatorSetting setting, string path)
    {
        if (NamedFile.GetProblem(path) is { } problem)
        {
            throw Problem(setting, path, problem);
        }

        if (!OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & (UnixFileMode.GroupRead | UnixFileMode.OtherRead)) != UnixFileMode.None)
        {
            throw Problem(setting, path, $"readable by other users, run: chmod 600 {path}");
        }

        return Parse(setting, path);
    }

    private static AccessKey Parse(EmulatorSetting setting, string path)
    {
        var content = NamedFile.TryRead(path, LargestFile, out var unreadable) ?? throw Problem(setting, path, unreadable);
        var text = Encoding.UTF8.GetString(content).Trim();
        var bytes = new byte[LargestFile];
        return Convert.TryFromBase64String(text, bytes, out var written) && written >= SmallestKey
            ? new AccessKey(text)
            : throw Problem(setting, path, $"holds no key, write at least {SmallestKey} bytes in base64");
    }

    private static EmulatorException Problem(EmulatorSetting setting, string path, string problem) =>
        new(EmulatorErrorKind.InvalidInput, setting, path, problem);
}
