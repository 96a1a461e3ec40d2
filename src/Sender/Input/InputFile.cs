using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender.Input;

/// <summary>Opens a file of events, checked completely before anything is sent.</summary>
internal static class InputFile
{
    private static readonly Dictionary<string, Func<string, string?, IEventSource>> Kinds = new(StringComparer.OrdinalIgnoreCase)
    {
        [".jsonl"] = JsonSource.OpenLines,
        [".ndjson"] = JsonSource.OpenLines,
        [".json"] = JsonSource.OpenArray,
        [".csv"] = CsvSource.Open,
    };

    /// <exception cref="UsageException">The file is missing, is not a file, is of an unknown kind, or contains an invalid event.</exception>
    public static IEventSource Open(string path, string? keyField)
    {
        if (NamedFile.GetProblem(path) is { } problem)
        {
            throw new UsageException([$"{path}: {problem}"]);
        }

        try
        {
            var unpacked = InputBytes.IsPacked(path) ? path[..^InputBytes.Packed.Length] : path;
            return Kinds.TryGetValue(Path.GetExtension(unpacked), out var open)
                ? open(path, keyField)
                : throw new UsageException([$"{path}: unknown ending of a file, allowed {string.Join(", ", Kinds.Keys)}, and each with {InputBytes.Packed}"]);
        }
        catch (InvalidDataException)
        {
            throw new UsageException([$"{path}: cannot be decompressed"]);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException([$"{path}: cannot be read"]);
        }
    }
}
