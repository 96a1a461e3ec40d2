using System.Buffers.Binary;
using System.Security.Cryptography;

namespace EventHubThroughput.Workload;

/// <summary>The stamp that the sender writes on an event as application properties, so that the verifier can identify the event.</summary>
/// <param name="Run">The run that the event belongs to.</param>
/// <param name="Index">The event's number in the run, from 0.</param>
/// <param name="KeyIndex">The event's number among the events of its key, from 0.</param>
/// <param name="Sha256">SHA-256 of the body, lower-case hexadecimal.</param>
/// <param name="Length">The body's length in bytes.</param>
/// <param name="Intended">The scheduled send time, Unix milliseconds.</param>
public sealed record EventStamp(string Run, long Index, long KeyIndex, string Sha256, long Length, long Intended)
{
    /// <summary>The property that holds <see cref="Run"/>, a string.</summary>
    public const string RunProperty = "eht-run";

    /// <summary>The property that holds <see cref="Index"/>, a long.</summary>
    public const string IndexProperty = "eht-index";

    /// <summary>The property that holds <see cref="KeyIndex"/>, a long.</summary>
    public const string KeyIndexProperty = "eht-key-index";

    /// <summary>The property that holds <see cref="Sha256"/>, a string.</summary>
    public const string Sha256Property = "eht-sha256";

    /// <summary>The property that holds <see cref="Length"/>, a long.</summary>
    public const string LengthProperty = "eht-length";

    /// <summary>The property that holds <see cref="Intended"/>, a long.</summary>
    public const string IntendedProperty = "eht-intended";

    // The end of the year 9999.
    private const long LongestTime = 253_402_300_800_000;

    /// <summary>The stamp of a body.</summary>
    public static EventStamp Of(string run, long index, long keyIndex, ReadOnlySpan<byte> body, DateTimeOffset intended) =>
        new(run, index, keyIndex, Hash(body), body.Length, intended.ToUnixTimeMilliseconds());

    /// <summary>SHA-256 of a body in lower-case hexadecimal.</summary>
    public static string Hash(ReadOnlySpan<byte> body) => Convert.ToHexStringLower(SHA256.HashData(body));

    /// <summary>The application properties of the stamp with these values.</summary>
    public static IReadOnlyDictionary<string, object?> Properties(string run, long index, long keyIndex, string sha256, long length, long intended) =>
        new EventStamp(run, index, keyIndex, sha256, length, intended).ToProperties();

    /// <summary>The stamp in an event's application properties. Null when one of them is missing or has another type.</summary>
    public static EventStamp? Read(IReadOnlyDictionary<string, object?> properties) =>
        properties.GetValueOrDefault(RunProperty) is string run
        && properties.GetValueOrDefault(IndexProperty) is long index
        && properties.GetValueOrDefault(KeyIndexProperty) is long keyIndex
        && properties.GetValueOrDefault(Sha256Property) is string sha256
        && properties.GetValueOrDefault(LengthProperty) is long length
        && properties.GetValueOrDefault(IntendedProperty) is long intended
            ? new EventStamp(run, index, keyIndex, sha256, length, intended)
            : null;

    /// <summary>The scheduled send time of an event, read from its encoded properties without decoding all of them. Null if they do not have it.</summary>
    /// <param name="encodedProperties">The application properties in their AMQP encoding (OASIS AMQP 1.0 part 1, section 1.6): a map of strings to values.</param>
    public static DateTimeOffset? GetIntended(ReadOnlySpan<byte> encodedProperties)
    {
        // A string of up to 255 bytes: its code, its length, its bytes. A long: its code and one byte, or eight.
        var at = encodedProperties.IndexOf("eht-intended"u8);
        if (at < 2 || encodedProperties[at - 2] != 0xa1 || encodedProperties[at - 1] != IntendedProperty.Length)
        {
            return null;
        }

        long? milliseconds = encodedProperties[(at + IntendedProperty.Length)..] switch
        {
            [0x55, var small, ..] => (sbyte)small,
            [0x81, ..] value when value.Length > sizeof(long) => BinaryPrimitives.ReadInt64BigEndian(value[1..]),
            _ => null,
        };
        return milliseconds is >= 0 and < LongestTime ? DateTimeOffset.FromUnixTimeMilliseconds(milliseconds.Value) : null;
    }

    /// <summary>The application properties that carry the stamp.</summary>
    public IReadOnlyDictionary<string, object?> ToProperties() =>
        new Dictionary<string, object?>(StringComparer.Ordinal)
        {
            [RunProperty] = Run,
            [IndexProperty] = Index,
            [KeyIndexProperty] = KeyIndex,
            [Sha256Property] = Sha256,
            [LengthProperty] = Length,
            [IntendedProperty] = Intended,
        };
}
