using System.Security.Cryptography;
using System.Text;

namespace EventHubThroughput.AzureProtocol;

/// <summary>The signature of storage requests, as the client writes it and the service checks it.</summary>
public static class SharedKeySignature
{
    /// <summary>The scheme of the Authorization header, with the blank that follows it.</summary>
    public const string Scheme = "SharedKey ";

    private const string StoragePrefix = "x-ms-";
    private const int LargestOnStack = 1_024;

    private static readonly string[] StandardHeaders =
    [
        "Content-Encoding",
        "Content-Language",
        "Content-Length",
        "Content-MD5",
        "Content-Type",
        "Date",
        "If-Modified-Since",
        "If-Match",
        "If-None-Match",
        "If-Unmodified-Since",
        "Range",
    ];

    /// <summary>The text that is signed.</summary>
    /// <param name="method">The verb in capitals.</param>
    /// <param name="headers">All headers of the request; names in any case, values as sent.</param>
    /// <param name="rawTarget">Path and query exactly as on the request line, still percent-encoded.</param>
    /// <param name="account">The storage account's name.</param>
    public static string StringToSign(string method, IReadOnlyList<KeyValuePair<string, string>> headers, string rawTarget, string account)
    {
        var text = new StringBuilder(512);
        text.Append(method).Append('\n');
        foreach (var name in StandardHeaders)
        {
            var value = Find(headers, name);
            var silent = (name == "Content-Length" && value == "0") || (name == "Date" && Find(headers, "x-ms-date").Length > 0);
            text.Append(silent ? string.Empty : value).Append('\n');
        }

        AppendStorageHeaders(text, headers);
        AppendResource(text, rawTarget, account);
        return text.ToString();
    }

    /// <summary>The signature: base64 of the HMAC-SHA256.</summary>
    public static string Sign(string stringToSign, ReadOnlySpan<byte> key)
    {
        Span<byte> hash = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Hash(stringToSign, key, hash);
        return Convert.ToBase64String(hash);
    }

    /// <summary>Whether a presented signature is right; takes the same time wherever it differs.</summary>
    public static bool Matches(string stringToSign, ReadOnlySpan<byte> key, string presented)
    {
        Span<byte> expected = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Span<byte> given = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Hash(stringToSign, key, expected);
        return Convert.TryFromBase64String(presented, given, out var length)
            && length == HMACSHA256.HashSizeInBytes
            && CryptographicOperations.FixedTimeEquals(expected, given);
    }

    private static void Hash(string stringToSign, ReadOnlySpan<byte> key, Span<byte> destination)
    {
        // Nearly every text fits here; each request is signed and checked.
        Span<byte> small = stackalloc byte[LargestOnStack];
        var encoded = Encoding.UTF8.TryGetBytes(stringToSign, small, out var length) ? small[..length] : Encoding.UTF8.GetBytes(stringToSign);
        HMACSHA256.HashData(key, encoded, destination);
    }

    private static string Find(IReadOnlyList<KeyValuePair<string, string>> headers, string name)
    {
        for (var i = 0; i < headers.Count; i++)
        {
            if (headers[i].Key.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return headers[i].Value;
            }
        }

        return string.Empty;
    }

    private static void AppendStorageHeaders(StringBuilder text, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        var own = new List<KeyValuePair<string, string>>(headers.Count);
        for (var i = 0; i < headers.Count; i++)
        {
            if (headers[i].Key.StartsWith(StoragePrefix, StringComparison.OrdinalIgnoreCase))
            {
                own.Add(new(headers[i].Key.ToLowerInvariant(), headers[i].Value));
            }
        }

        own.Sort(static (left, right) => string.CompareOrdinal(left.Key, right.Key));
        foreach ((var name, var value) in own)
        {
            text.Append(name).Append(':').Append(value.AsSpan().TrimStart()).Append('\n');
        }
    }

    private static void AppendResource(StringBuilder text, string rawTarget, string account)
    {
        var question = rawTarget.IndexOf('?', StringComparison.Ordinal);
        text.Append('/').Append(account).Append(question < 0 ? rawTarget : rawTarget.AsSpan(0, question));
        if (question < 0)
        {
            return;
        }

        List<KeyValuePair<string, string>> parameters = [];
        foreach (var pair in rawTarget[(question + 1)..].Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            var equals = pair.IndexOf('=', StringComparison.Ordinal);
            parameters.Add(
                equals < 0
                    ? new(Uri.UnescapeDataString(pair).ToLowerInvariant(), string.Empty)
                    : new(Uri.UnescapeDataString(pair[..equals]).ToLowerInvariant(), Uri.UnescapeDataString(pair[(equals + 1)..]))
            );
        }

        parameters.Sort(
            static (left, right) => string.CompareOrdinal(left.Key, right.Key) is var order and not 0 ? order : string.CompareOrdinal(left.Value, right.Value)
        );
        for (var i = 0; i < parameters.Count; i++)
        {
            var repeated = i > 0 && parameters[i - 1].Key == parameters[i].Key;
            if (repeated)
            {
                text.Append(',');
            }
            else
            {
                text.Append('\n').Append(parameters[i].Key).Append(':');
            }

            text.Append(parameters[i].Value);
        }
    }
}
