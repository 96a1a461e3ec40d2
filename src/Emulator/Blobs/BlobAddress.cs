namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A request target taken apart: account, container and blob of its path, and its query.</summary>
internal sealed class BlobAddress
{
    private readonly Dictionary<string, string> query;

    private BlobAddress(string rawTarget, string account, string? container, string? blob, Dictionary<string, string> query)
    {
        RawTarget = rawTarget;
        Account = account;
        Container = container;
        Blob = blob;
        this.query = query;
    }

    /// <summary>Path and query as they were written: what was signed.</summary>
    public string RawTarget { get; }

    public string Account { get; }

    public string? Container { get; }

    /// <summary>The blob's name. A backslash in it is a slash, as the service has it.</summary>
    public string? Blob { get; }

    /// <summary>
    /// Takes a target apart; null when it is no path, names a blob in a container without a name, or escapes what is no character. Account and
    /// container are split off before decoding.
    /// </summary>
    public static BlobAddress? Parse(string target)
    {
        if (!target.StartsWith('/'))
        {
            return null;
        }

        var question = target.IndexOf('?', StringComparison.Ordinal);
        var path = question < 0 ? target[1..] : target[1..question];
        var parts = path.Split('/', 3);
        if (parts is [_, "", { Length: > 0 }] || !IsEscaped(path))
        {
            return null;
        }

        var parameters = question < 0 ? [] : ParseQuery(target[(question + 1)..]);

        // One name alone is a container's where the query says so, else a blob's.
        if (parts is [_, { Length: > 0 }] && !parameters.ContainsKey("restype"))
        {
            parts = [parts[0], BlobNames.Root, parts[1]];
        }

        return new BlobAddress(
            target,
            Uri.UnescapeDataString(parts[0]),
            parts.Length > 1 && parts[1].Length > 0 ? Uri.UnescapeDataString(parts[1]) : null,
            parts.Length > 2 && parts[2].Length > 0 ? Uri.UnescapeDataString(parts[2]).Replace('\\', '/') : null,
            parameters
        );
    }

    /// <summary>A query parameter, decoded; null when absent.</summary>
    public string? Query(string name) => query.GetValueOrDefault(name);

    // What cannot be decoded stays as it is written, and would give two names for one blob: every percent sign must come from its escape.
    private static bool IsEscaped(string path) => Uri.UnescapeDataString(path).AsSpan().Count('%') == path.AsSpan().Count("%25");

    private static Dictionary<string, string> ParseQuery(string text)
    {
        Dictionary<string, string> parameters = new(StringComparer.OrdinalIgnoreCase);
        foreach (var pair in text.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            var equals = pair.IndexOf('=', StringComparison.Ordinal);
            (var name, var value) = equals < 0 ? (pair, string.Empty) : (pair[..equals], pair[(equals + 1)..]);
            parameters[Uri.UnescapeDataString(name)] = Uri.UnescapeDataString(value);
        }

        return parameters;
    }
}
