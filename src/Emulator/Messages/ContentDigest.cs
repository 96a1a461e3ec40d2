using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>
/// What the journal says of a message's content. The body is hashed as it reaches an application: the bytes of data sections
/// one after another, the encoding of a value, the encoding of sequence sections.
/// </summary>
internal sealed record ContentDigest(string Sha256, long Length, string? ContentType, string? PropertiesSha256, IReadOnlyDictionary<string, string>? Properties)
{
    public static ContentDigest Of(MessageParts message, IReadOnlyList<string> propertyNames)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        long length = 0;
        foreach (var section in message.Body)
        {
            var bytes = section.Code switch
            {
                SectionCode.Data => MessageSections.BinaryOf(section),
                SectionCode.Value => section.Value,
                _ => section.Encoded,
            };
            hash.AppendData(bytes.Span);
            length += bytes.Length;
        }

        var properties = message.ApplicationPropertiesValue;
        return new ContentDigest(
            Convert.ToHexStringLower(hash.GetHashAndReset()),
            length,
            message.Properties?.ContentType,
            properties.IsEmpty ? null : Convert.ToHexStringLower(SHA256.HashData(properties.Span)),
            Pick(message.ApplicationProperties, propertyNames)
        );
    }

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
