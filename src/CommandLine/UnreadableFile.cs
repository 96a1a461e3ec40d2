namespace EventHubThroughput.CommandLine;

/// <summary>Why a file that was named cannot be read, in the words that all commands use.</summary>
public static class UnreadableFile
{
    /// <summary>is a folder, cannot be read, or not found.</summary>
    public static string WhyOf(string path) =>
        Directory.Exists(path) ? "is a folder"
        : File.Exists(path) ? "cannot be read"
        : "not found";
}
