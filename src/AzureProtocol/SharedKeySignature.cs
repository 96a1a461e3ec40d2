using System.Buffers;
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
    private const int MostOnStack = 32;

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
    /// <param name="headers">All headers of the request. Names in any case, values as sent.</param>
    /// <param name="rawTarget">Path and query exactly as on the request line, still percent-encoded.</param>
    /// <param name="account">The storage account's name.</param>
    public static string StringToSign(string method, ReadOnlySpan<KeyValuePair<string, string>> headers, string rawTarget, string account)
    {
        TextBuffer text = new(stackalloc char[LargestOnStack]);
        Append(ref text, method, headers, rawTarget, account);
        var whole = text.Written.ToString();
        text.Dispose();
        return whole;
    }

    /// <summary>The signature of a request, without its text ever being a string.</summary>
    /// <inheritdoc cref="StringToSign"/>
    /// <param name="key">The account's key.</param>
    public static string Sign(string method, ReadOnlySpan<KeyValuePair<string, string>> headers, string rawTarget, string account, ReadOnlySpan<byte> key)
    {
        TextBuffer text = new(stackalloc char[LargestOnStack]);
        Append(ref text, method, headers, rawTarget, account);
        var signature = Sign(text.Written, key);
        text.Dispose();
        return signature;
    }

    /// <summary>Whether the signature of a request is right. Takes the same time wherever it differs.</summary>
    /// <inheritdoc cref="StringToSign"/>
    /// <param name="key">The account's key.</param>
    /// <param name="presented">The signature of the request.</param>
    public static bool Matches(
        string method,
        ReadOnlySpan<KeyValuePair<string, string>> headers,
        string rawTarget,
        string account,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<char> presented
    )
    {
        TextBuffer text = new(stackalloc char[LargestOnStack]);
        Append(ref text, method, headers, rawTarget, account);
        var matches = Matches(text.Written, key, presented);
        text.Dispose();
        return matches;
    }

    /// <summary>The signature: base64 of the HMAC-SHA256.</summary>
    public static string Sign(ReadOnlySpan<char> stringToSign, ReadOnlySpan<byte> key)
    {
        Span<byte> hash = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Hash(stringToSign, key, hash);
        return Convert.ToBase64String(hash);
    }

    /// <summary>Whether a presented signature is right. Takes the same time wherever it differs.</summary>
    public static bool Matches(ReadOnlySpan<char> stringToSign, ReadOnlySpan<byte> key, ReadOnlySpan<char> presented)
    {
        Span<byte> expected = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Span<byte> given = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Hash(stringToSign, key, expected);
        return Convert.TryFromBase64Chars(presented, given, out var length)
            && length == HMACSHA256.HashSizeInBytes
            && CryptographicOperations.FixedTimeEquals(expected, given);
    }

    private static void Hash(ReadOnlySpan<char> stringToSign, ReadOnlySpan<byte> key, Span<byte> destination)
    {
        // Nearly every text fits here. Each request is signed and checked.
        Span<byte> small = stackalloc byte[LargestOnStack];
        if (Encoding.UTF8.TryGetBytes(stringToSign, small, out var length))
        {
            HMACSHA256.HashData(key, small[..length], destination);
            return;
        }

        var large = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(stringToSign.Length));
        HMACSHA256.HashData(key, large.AsSpan(0, Encoding.UTF8.GetBytes(stringToSign, large)), destination);
        ArrayPool<byte>.Shared.Return(large);
    }

    private static void Append(ref TextBuffer text, string method, ReadOnlySpan<KeyValuePair<string, string>> headers, string rawTarget, string account)
    {
        text.Append(method);
        text.Append('\n');
        foreach (var name in StandardHeaders)
        {
            var value = Find(headers, name);
            var silent = (name == "Content-Length" && value == "0") || (name == "Date" && Find(headers, "x-ms-date").Length > 0);
            text.Append(silent ? default : value);
            text.Append('\n');
        }

        AppendStorageHeaders(ref text, headers);
        AppendResource(ref text, rawTarget, account);
    }

    private static string Find(ReadOnlySpan<KeyValuePair<string, string>> headers, string name)
    {
        foreach (ref readonly var header in headers)
        {
            if (header.Key.Length == name.Length && header.Key.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return header.Value;
            }
        }

        return string.Empty;
    }

    private static void AppendStorageHeaders(ref TextBuffer text, ReadOnlySpan<KeyValuePair<string, string>> headers)
    {
        // The positions of our headers, in the order of their lower-case names. For so few, insertion sort is the fastest.
        var order = headers.Length <= MostOnStack ? stackalloc int[MostOnStack] : new int[headers.Length];
        var count = 0;
        for (var i = 0; i < headers.Length; i++)
        {
            if (!headers[i].Key.StartsWith(StoragePrefix, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            var place = count++;
            for (; place > 0 && CompareLower(headers[order[place - 1]].Key, headers[i].Key) > 0; place--)
            {
                order[place] = order[place - 1];
            }

            order[place] = i;
        }

        foreach (var at in order[..count])
        {
            text.AppendLower(headers[at].Key);
            text.Append(':');
            text.Append(headers[at].Value.AsSpan().TrimStart());
            text.Append('\n');
        }
    }

    private static int CompareLower(string left, string right)
    {
        var common = Math.Min(left.Length, right.Length);
        for (var i = 0; i < common; i++)
        {
            var difference = char.ToLowerInvariant(left[i]) - char.ToLowerInvariant(right[i]);
            if (difference != 0)
            {
                return difference;
            }
        }

        return left.Length - right.Length;
    }

    private static void AppendResource(ref TextBuffer text, string rawTarget, string account)
    {
        var question = rawTarget.IndexOf('?', StringComparison.Ordinal);
        text.Append('/');
        text.Append(account);
        text.Append(question < 0 ? rawTarget : rawTarget.AsSpan(0, question));
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
                text.Append('\n');
                text.Append(parameters[i].Key);
                text.Append(':');
            }

            text.Append(parameters[i].Value);
        }
    }
}
