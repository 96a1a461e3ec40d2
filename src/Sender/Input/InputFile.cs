using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Sender.Input;

/// <summary>Opens a file of events, checked completely before anything is sent.</summary>
internal static class InputFile
{
    private static readonly string[] Kinds = [".jsonl", ".csv"];

    /// <exception cref="UsageException">The file is missing, no file, of another kind, or not every event in it is good.</exception>
    public static IEventSource Open(string path, string? keyField)
    {
        if (NamedFile.ProblemOf(path) is { } problem)
        {
            throw new UsageException([$"{path}: {problem}"]);
        }

        try
        {
            return Path.GetExtension(path).ToUpperInvariant() switch
            {
                ".JSONL" => JsonLinesSource.Open(path, keyField),
                ".CSV" => CsvSource.Open(path, keyField),
                _ => throw new UsageException([$"{path}: unknown kind of file, allowed {string.Join(" and ", Kinds)}"]),
            };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException([$"{path}: cannot be read"]);
        }
    }
}
