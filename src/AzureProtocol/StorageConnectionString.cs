using System.Globalization;

namespace EventHubThroughput.AzureProtocol;

/// <summary>A storage account's connection string in Azure's form, or only its address for Entra ID. Its text form hides the key.</summary>
public sealed class StorageConnectionString
{
    private const string DevelopmentAccount = "devstoreaccount1";

    // Published by the vendor for its emulators. It opens nothing else.
    private const string DevelopmentKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private StorageConnectionString(string accountName, byte[] accountKey, Uri blobEndpoint)
    {
        AccountName = accountName;
        AccountKey = accountKey;
        BlobEndpoint = blobEndpoint;
    }

    /// <summary>The account's name.</summary>
    public string AccountName { get; }

    /// <summary>The account's key, decoded. Empty for Entra ID.</summary>
    public ReadOnlyMemory<byte> AccountKey { get; }

    /// <summary>Where blobs are served, without a slash at the end. For emulators the path holds the account.</summary>
    public Uri BlobEndpoint { get; }

    /// <summary>Whether the endpoint is https.</summary>
    public bool UseTls => BlobEndpoint.Scheme == Uri.UriSchemeHttps;

    /// <summary>Creates an account without a key from the address of its blobs.</summary>
    /// <exception cref="FormatException">
    /// The address is not https, or has more parts than an address. The message never shows it, as it may contain a signature.
    /// </exception>
    public static StorageConnectionString OfAddress(string address) =>
        Uri.TryCreate(address.TrimEnd('/'), UriKind.Absolute, out var uri)
        && uri.Scheme == Uri.UriSchemeHttps
        && uri.Query.Length == 0
        && uri.Fragment.Length == 0
        && uri.UserInfo.Length == 0
            ? new(uri.Host.Split('.', 2)[0], [], uri)
            : throw new FormatException("not an https address without a query, allowed is one like https://ACCOUNT.blob.core.windows.net");

    /// <summary>Reads a connection string.</summary>
    /// <exception cref="FormatException">A part is wrong or missing. The message names it and never shows its value.</exception>
    public static StorageConnectionString Parse(string text)
    {
        var parts = Split(text);
        if (parts.TryGetValue("UseDevelopmentStorage", out var development) && development.Equals("true", StringComparison.OrdinalIgnoreCase))
        {
            return new(DevelopmentAccount, Convert.FromBase64String(DevelopmentKey), new Uri("http://127.0.0.1:10000/" + DevelopmentAccount));
        }

        var account = Required(parts, "AccountName");
        var encodedKey = Required(parts, "AccountKey");
        var key = new byte[encodedKey.Length];
        if (!Convert.TryFromBase64String(encodedKey, key, out var length))
        {
            throw new FormatException("'AccountKey' is not base64");
        }

        Array.Resize(ref key, length);
        return new(account, key, Endpoint(parts, account));
    }

    /// <summary>The connection string with the key hidden.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"AccountName={AccountName};{(AccountKey.IsEmpty ? string.Empty : "AccountKey=***;")}BlobEndpoint={BlobEndpoint}"
        );

    private static Uri Endpoint(Dictionary<string, string> parts, string account)
    {
        if (!parts.TryGetValue("BlobEndpoint", out var endpoint))
        {
            var scheme = parts.GetValueOrDefault("DefaultEndpointsProtocol", Uri.UriSchemeHttps);
            endpoint = $"{scheme}://{account}.blob.{parts.GetValueOrDefault("EndpointSuffix", "core.windows.net")}";
        }

        if (
            !Uri.TryCreate(endpoint.TrimEnd('/'), UriKind.Absolute, out var uri)
            || (uri.Scheme != Uri.UriSchemeHttp && uri.Scheme != Uri.UriSchemeHttps)
            || uri.Query.Length > 0
            || uri.UserInfo.Length > 0
        )
        {
            throw new FormatException("'BlobEndpoint' is not an http or https address");
        }

        // A key's signature over plain text is safe only on this machine.
        if (uri.Scheme == Uri.UriSchemeHttp && !uri.IsLoopback)
        {
            throw new FormatException("'BlobEndpoint' is plain http to another machine, use https");
        }

        return uri;
    }

    private static Dictionary<string, string> Split(string text)
    {
        var parts = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var part in text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0)
            {
                throw new FormatException("a part is not of the form name=value");
            }

            if (!parts.TryAdd(part[..equals].Trim(), part[(equals + 1)..].Trim()))
            {
                throw new FormatException("a part is given twice");
            }
        }

        return parts;
    }

    private static string Required(Dictionary<string, string> parts, string name) =>
        parts.TryGetValue(name, out var value) && value.Length > 0 ? value : throw new FormatException($"'{name}' missing");
}
