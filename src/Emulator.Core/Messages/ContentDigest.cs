using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>
/// The journal's description of a message's content. The hash is of the body as an application receives it: the bytes of all data sections, the encoding of a
/// value, or the encoding of sequence sections.
/// </summary>
internal sealed record ContentDigest(string Sha256, long Length, string? ContentType, string? PropertiesSha256, IReadOnlyDictionary<string, string>? Properties)
{
    public static ContentDigest Of(MessageParts message, IReadOnlyList<string> propertyNames)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        var length = HashBody(message.Body, hash);
        var body = Convert.ToHexStringLower(hash);
        var properties = message.ApplicationPropertiesValue;
        if (!properties.IsEmpty)
        {
            SHA256.HashData(properties.Span, hash);
        }

        return new ContentDigest(
            body,
            length,
            message.Properties?.ContentType,
            properties.IsEmpty ? null : Convert.ToHexStringLower(hash),
            Pick(message.ApplicationProperties, propertyNames)
        );
    }

    private static long HashBody(IReadOnlyList<MessageSection> body, Span<byte> hash)
    {
        // Nearly all bodies have one section, which is hashed without allocating a hash object.
        if (body.Count == 1)
        {
            var whole = GetBytes(body[0]).Span;
            SHA256.HashData(whole, hash);
            return whole.Length;
        }

        using var parts = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        long length = 0;
        foreach (var section in body)
        {
            var bytes = GetBytes(section).Span;
            parts.AppendData(bytes);
            length += bytes.Length;
        }

        parts.GetHashAndReset(hash);
        return length;
    }

    private static ReadOnlyMemory<byte> GetBytes(MessageSection section) =>
        section.Code switch
        {
            SectionCode.Data => MessageSections.BinaryOf(section),
            SectionCode.Value => section.Value,
            _ => section.Encoded,
        };

    private static Dictionary<string, string>? Pick(AmqpMap? properties, IReadOnlyList<string> names)
    {
        Dictionary<string, string>? picked = null;
        foreach (var name in names)
        {
            if (properties?.Find(name) is { } value)
            {
                picked ??= new Dictionary<string, string>(StringComparer.Ordinal);
                picked[name] = Convert.ToString(value, CultureInfo.InvariantCulture) ?? string.Empty;
            }
        }

        return picked;
    }
}
