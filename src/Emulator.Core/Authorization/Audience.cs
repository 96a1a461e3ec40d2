using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>The target of a token: the host, without scheme and port, and the path of an entity or of all below it.</summary>
internal readonly record struct Audience(string Host, string Path)
{
    public static Audience Parse(string text)
    {
        var scheme = text.IndexOf("://", StringComparison.Ordinal);
        if (scheme < 0)
        {
            return new Audience(string.Empty, EntityAddress.Normalise(text));
        }

        var authority = text[(scheme + 3)..].Split('/', 2)[0];
        var port = authority.LastIndexOf(':');

        // The colons of an IPv6 literal are inside brackets.
        var host = port > authority.LastIndexOf(']') ? authority[..port] : authority;
        return new Audience(host, EntityAddress.Normalise(text));
    }

    /// <summary>Whether a grant for this audience includes the other: the same host, and the same path or one below it.</summary>
    public bool Covers(Audience other) =>
        (Host.Length == 0 || other.Host.Length == 0 || string.Equals(Host, other.Host, StringComparison.OrdinalIgnoreCase)) && CoversPath(other.Path);

    public bool CoversPath(string path) =>
        Path.Length == 0 || (path.StartsWith(Path, StringComparison.OrdinalIgnoreCase) && (path.Length == Path.Length || path[Path.Length] == '/'));
}
