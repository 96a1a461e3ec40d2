using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace EventHubThroughput.AzureProtocol;

/// <summary>The result of the check of a token.</summary>
public enum SasVerdict
{
    Valid,
    Malformed,
    UnknownKey,
    WrongSignature,
    Expired,
}

/// <summary>
/// Shared access signatures: <c>SharedAccessSignature sr={R}&amp;sig={S}&amp;se={E}&amp;skn={N}</c>, where S is the HMAC-SHA256 of
/// <c>R + "\n" + E</c>, keyed with the UTF-8 bytes of the key's text (it is not decoded from base64 first).
/// </summary>
public static class SasToken
{
    private const string Scheme = "SharedAccessSignature ";

    public static string Create(string audience, string keyName, string key, DateTimeOffset expiry)
    {
        var resource = Uri.EscapeDataString(audience);
        var seconds = expiry.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture);
        var signature = Convert.ToBase64String(Sign(resource, seconds, key));
        return $"{Scheme}sr={resource}&sig={Uri.EscapeDataString(signature)}&se={seconds}&skn={Uri.EscapeDataString(keyName)}";
    }

    /// <summary>Checks form, key name, signature and expiry, in this order. The caller checks the audience.</summary>
    public static SasVerdict Verify(string token, Func<string, string?> keyOf, DateTimeOffset now, out string audience, out DateTimeOffset expiry)
    {
        audience = string.Empty;
        expiry = default;
        if (!TryParse(token, out var fields))
        {
            return SasVerdict.Malformed;
        }

        audience = Uri.UnescapeDataString(fields.Resource);
        expiry = DateTimeOffset.FromUnixTimeSeconds(fields.Seconds);
        if (keyOf(fields.KeyName) is not { } key)
        {
            return SasVerdict.UnknownKey;
        }

        // The signature covers the resource as it was written, not as another encoder would write it.
        if (!CryptographicOperations.FixedTimeEquals(Sign(fields.Resource, fields.Expiry, key), fields.Signature))
        {
            return SasVerdict.WrongSignature;
        }

        return expiry <= now ? SasVerdict.Expired : SasVerdict.Valid;
    }

    private static byte[] Sign(string resource, string seconds, string key) =>
        HMACSHA256.HashData(Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes($"{resource}\n{seconds}"));

    private static bool TryParse(string token, [NotNullWhen(true)] out Fields? fields)
    {
        fields = null;
        if (!token.StartsWith(Scheme, StringComparison.Ordinal))
        {
            return false;
        }

        string? resource = null,
            signature = null,
            expiry = null,
            keyName = null;
        foreach (var part in token[Scheme.Length..].Split('&'))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals < 0)
            {
                return false;
            }

            var value = part[(equals + 1)..];
            switch (part[..equals])
            {
                case "sr":
                    resource = value;
                    break;
                case "sig":
                    signature = Uri.UnescapeDataString(value);
                    break;
                case "se":
                    expiry = value;
                    break;
                case "skn":
                    keyName = Uri.UnescapeDataString(value);
                    break;
                default:
                    break;
            }
        }

        var bytes = new byte[32];
        if (
            string.IsNullOrEmpty(resource)
            || signature is null
            || keyName is null
            || expiry is null
            || !long.TryParse(expiry, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
            || seconds > DateTimeOffset.MaxValue.ToUnixTimeSeconds()
            || !Convert.TryFromBase64String(signature, bytes, out var written)
            || written != bytes.Length
        )
        {
            return false;
        }

        fields = new Fields(resource, bytes, expiry, seconds, keyName);
        return true;
    }

    private sealed record Fields(string Resource, byte[] Signature, string Expiry, long Seconds, string KeyName);
}
