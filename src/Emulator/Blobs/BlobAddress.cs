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

    public string? Blob { get; }

    /// <summary>
    /// Takes a target apart; null when it is no path, names a blob and no container, or escapes what is no character. Account and
    /// container are split off before decoding.
    /// </summary>
    public static BlobAddress? Parse(string target)
    {
        if (!target.StartsWith('/'))
        {
            return null;
        }

        int question = target.IndexOf('?', StringComparison.Ordinal);
        string path = question < 0 ? target[1..] : target[1..question];
        string[] parts = path.Split('/', 3);
        if (parts is [_, "", { Length: > 0 }] || !IsEscaped(path))
        {
            return null;
        }

        return new BlobAddress(
            target,
            Uri.UnescapeDataString(parts[0]),
            parts.Length > 1 && parts[1].Length > 0 ? Uri.UnescapeDataString(parts[1]) : null,
            parts.Length > 2 && parts[2].Length > 0 ? Uri.UnescapeDataString(parts[2]) : null,
            question < 0 ? [] : ParseQuery(target[(question + 1)..])
        );
    }

    /// <summary>A query parameter, decoded; null when absent.</summary>
    public string? Query(string name) => query.GetValueOrDefault(name);

    // What cannot be decoded stays as it is written, and would give two names for one blob: every percent sign must come from its escape.
    private static bool IsEscaped(string path) => Uri.UnescapeDataString(path).AsSpan().Count('%') == path.AsSpan().Count("%25");

    private static Dictionary<string, string> ParseQuery(string text)
    {
        Dictionary<string, string> parameters = new(StringComparer.OrdinalIgnoreCase);
        foreach (string pair in text.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = pair.IndexOf('=', StringComparison.Ordinal);
            (string name, string value) = equals < 0 ? (pair, string.Empty) : (pair[..equals], pair[(equals + 1)..]);
            parameters[Uri.UnescapeDataString(name)] = Uri.UnescapeDataString(value);
        }

        return parameters;
    }
}
