namespace EventHubThroughput.Settings;

/// <summary>Why a named file cannot be read, with the same words in all commands.</summary>
public static class UnreadableFile
{
    /// <summary>is a folder, is a pipe, is a device, cannot be read, or not found.</summary>
    public static string GetReason(string path) => NamedFile.GetProblem(path) ?? "cannot be read";
}
