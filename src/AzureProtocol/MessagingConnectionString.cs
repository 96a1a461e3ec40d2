using System.Globalization;
using System.Net;

namespace EventHubThroughput.AzureProtocol;

/// <summary>
/// <c>Endpoint=sb://HOST[:PORT];SharedAccessKeyName=NAME;SharedAccessKey=KEY[;EntityPath=ENTITY][;UseDevelopmentEmulator=true]</c>. Only <see cref="Key"/>
/// shows the key. A namespace without key name and key is for Entra ID.
/// </summary>
public sealed class MessagingConnectionString
{
    private const int PlainPort = 5672;
    private const int TlsPort = 5671;

    private MessagingConnectionString(string host, int? port) => (Host, Port) = (host, port);

    public string Host { get; }

    public int? Port { get; }

    public string? KeyName { get; private init; }

    public string? Key { get; private init; }

    public string? EntityPath { get; private init; }

    /// <summary>Turns TLS off.</summary>
    public bool UseDevelopmentEmulator { get; private init; }

    /// <summary>Whether the host is this machine, by its literal or the name localhost. Names are not resolved.</summary>
    public bool IsLoopback =>
        string.Equals(Host, "localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(Host, out var address) && IPAddress.IsLoopback(address));

    public int EffectivePort => Port ?? (UseDevelopmentEmulator ? PlainPort : TlsPort);

    /// <summary>The audience prefix of tokens: the port only if the text names one.</summary>
    public string Audience => Port is { } port ? $"sb://{Host}:{port.ToString(CultureInfo.InvariantCulture)}/" : $"sb://{Host}/";

    /// <summary>Creates a connection string without a key from the fully qualified host name of a namespace.</summary>
    /// <exception cref="FormatException">The text is not a host name.</exception>
    public static MessagingConnectionString OfNamespace(string host) =>
        Uri.CheckHostName(host) is UriHostNameType.Dns or UriHostNameType.IPv4 && host.Contains('.', StringComparison.Ordinal)
            ? new MessagingConnectionString(host, port: null)
            : throw new FormatException("not a fully qualified host name, allowed is one like NAME.servicebus.windows.net");

    /// <exception cref="FormatException">A part is wrong or missing. The message names it and never shows a value.</exception>
    public static MessagingConnectionString Parse(string text)
    {
        var parts = SplitParts(text);
        if (!parts.TryGetValue("Endpoint", out var endpoint))
        {
            throw new FormatException("'Endpoint' missing");
        }

        (var host, var port) = ParseEndpoint(endpoint);
        var keyName = parts.GetValueOrDefault("SharedAccessKeyName");
        var key = parts.GetValueOrDefault("SharedAccessKey");
        if (parts.ContainsKey("SharedAccessSignature"))
        {
            throw new FormatException("'SharedAccessSignature' is not supported, give 'SharedAccessKeyName' and 'SharedAccessKey'");
        }

        if (string.IsNullOrEmpty(keyName))
        {
            throw new FormatException("'SharedAccessKeyName' missing");
        }

        if (string.IsNullOrEmpty(key))
        {
            throw new FormatException("'SharedAccessKey' missing");
        }

        var emulator = false;
        if (parts.TryGetValue("UseDevelopmentEmulator", out var flag) && !bool.TryParse(flag, out emulator))
        {
            throw new FormatException("'UseDevelopmentEmulator' is neither true nor false");
        }

        var entity = parts.GetValueOrDefault("EntityPath");
        return new MessagingConnectionString(host, port)
        {
            KeyName = keyName,
            Key = key,
            EntityPath = string.IsNullOrEmpty(entity) ? null : entity,
            UseDevelopmentEmulator = emulator,
        };
    }

    /// <summary>The connection string with the key masked.</summary>
    public override string ToString()
    {
        var entity = EntityPath is null ? string.Empty : $";EntityPath={EntityPath}";
        var emulator = UseDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : string.Empty;
        var key = Key is null ? string.Empty : $";SharedAccessKeyName={KeyName};SharedAccessKey=***";
        return $"Endpoint={Audience}{key}{entity}{emulator}";
    }

    private static Dictionary<string, string> SplitParts(string text)
    {
        var parts = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var part in text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0)
            {
                // The part itself may contain half a key, so it is not shown.
                throw new FormatException("a part is not of the form Name=Value");
            }

            var name = part[..equals].TrimEnd();
            if (!parts.TryAdd(name, part[(equals + 1)..].TrimStart()))
            {
                throw new FormatException(Known(name) ? $"'{name}' given twice" : "a part is given twice");
            }
        }

        return parts;
    }

    private static bool Known(string name) =>
        name.ToUpperInvariant() is "ENDPOINT" or "SHAREDACCESSKEYNAME" or "SHAREDACCESSKEY" or "ENTITYPATH" or "USEDEVELOPMENTEMULATOR";

    private static (string Host, int? Port) ParseEndpoint(string endpoint)
    {
        const string scheme = "sb://";
        var rest = endpoint.TrimEnd('/');
        if (rest.StartsWith(scheme, StringComparison.OrdinalIgnoreCase))
        {
            rest = rest[scheme.Length..];
        }
        else if (rest.Contains("://", StringComparison.Ordinal))
        {
            throw new FormatException("'Endpoint' must begin with sb://");
        }

        if (
            !Uri.TryCreate(scheme + rest, UriKind.Absolute, out var uri)
            || uri.Host.Length == 0
            || uri.AbsolutePath.Length > 1
            || uri.Query.Length > 0
            || uri.UserInfo.Length > 0
        )
        {
            throw new FormatException("'Endpoint' is not of the form sb://HOST[:PORT]");
        }

        return (uri.Host.Trim('[', ']'), uri.Port > 0 ? uri.Port : null);
    }
}
