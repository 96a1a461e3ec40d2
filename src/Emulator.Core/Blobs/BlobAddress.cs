namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A parsed request target: account, container, blob and query.</summary>
internal sealed class BlobAddress
{
    private readonly Dictionary<string, string>? query;

    private BlobAddress(string rawTarget, string account, string? container, string? blob, Dictionary<string, string>? query)
    {
        RawTarget = rawTarget;
        Account = account;
        Container = container;
        Blob = blob;
        this.query = query;
    }

    /// <summary>Path and query as they were sent, which the signature covers.</summary>
    public string RawTarget { get; }

    public string Account { get; }

    public string? Container { get; }

    /// <summary>The name of the blob. A backslash becomes a slash, as in the service.</summary>
    public string? Blob { get; }

    /// <summary>
    /// Parses a target. Null when it is not a path, names a blob in a container without a name, or has an invalid escape. Account and container are split off
    /// before decoding.
    /// </summary>
    public static BlobAddress? Parse(string target)
    {
        if (!target.StartsWith('/'))
        {
            return null;
        }

        var question = target.IndexOf('?', StringComparison.Ordinal);
        var path = question < 0 ? target.AsSpan(1) : target.AsSpan(1, question - 1);
        Span<Range> parts = stackalloc Range[3];
        var count = path.Split(parts, '/');
        var account = path[parts[0]];
        var container = count > 1 ? path[parts[1]] : default;
        var blob = count > 2 ? path[parts[2]] : default;
        if ((count > 1 && container.IsEmpty && !blob.IsEmpty) || !IsEscaped(path))
        {
            return null;
        }

        var parameters = question < 0 ? null : ParseQuery(target[(question + 1)..]);

        // A single name is a container if the query has restype=container, else a blob.
        if (count == 2 && !container.IsEmpty && parameters?.ContainsKey("restype") != true)
        {
            blob = container;
            container = BlobNames.Root;
        }

        return new BlobAddress(
            target,
            Uri.UnescapeDataString(account),
            container.IsEmpty ? null : Uri.UnescapeDataString(container),
            blob.IsEmpty ? null : Uri.UnescapeDataString(blob).Replace('\\', '/'),
            parameters
        );
    }

    /// <summary>The names of all query parameters.</summary>
    public IEnumerable<string> Parameters => query?.Keys ?? Enumerable.Empty<string>();

    /// <summary>A query parameter, decoded. Null when absent.</summary>
    public string? Query(string name) => query?.GetValueOrDefault(name);

    // An invalid escape would stay as it is, and give two names for one blob. Every percent sign must therefore begin a valid escape.
    private static bool IsEscaped(ReadOnlySpan<char> path) => !path.Contains('%') || Uri.UnescapeDataString(path).AsSpan().Count('%') == path.Count("%25");

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
