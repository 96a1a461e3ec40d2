namespace EventHubThroughput.Settings;

/// <summary>Why a file that was named cannot be read, in the words that all commands use.</summary>
public static class UnreadableFile
{
    /// <summary>is a folder, is a pipe, is a device, cannot be read, or not found.</summary>
    public static string WhyOf(string path) => NamedFile.ProblemOf(path) ?? "cannot be read";
}
