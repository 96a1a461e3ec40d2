using System.Buffers;
using System.Collections;
using System.Collections.ObjectModel;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Clients;

/// <summary>
/// Application properties as the plain .NET values of Azure's SDKs, for clients that use an SDK. A symbol becomes a string there. Lists, maps, arrays, short
/// decimals and unknown described values have no plain form.
/// </summary>
public static class PlainProperties
{
    private const int ScratchSize = 1_024;
    private const int LargestScratch = 64 * 1_024;

    private static readonly AmqpSymbol TimeSpanType = "com.microsoft:timespan";
    private static readonly AmqpSymbol DateTimeOffsetType = "com.microsoft:datetime-offset";
    private static readonly AmqpSymbol UriType = "com.microsoft:uri";

    // Per thread, which encodes one map at a time.
    [ThreadStatic]
    private static ArrayBufferWriter<byte>? scratch;

    /// <summary>Decodes an encoded map.</summary>
    /// <param name="encoded">One AMQP map, or nothing.</param>
    /// <exception cref="MessagingException">
    /// Kind Permanent when the bytes are not a map, or a value has no plain form: leaving it out would lose data.
    /// </exception>
    public static IReadOnlyDictionary<string, object?> Decode(ReadOnlyMemory<byte> encoded)
    {
        if (encoded.IsEmpty)
        {
            return ReadOnlyDictionary<string, object?>.Empty;
        }

        var map = MapOf(encoded);
        var properties = new Dictionary<string, object?>(map.Count, StringComparer.Ordinal);
        foreach ((var key, var value) in map)
        {
            var name = key.ToString() ?? string.Empty;
            if (!properties.TryAdd(name, GetPlain(name, value)))
            {
                throw new MessagingException(FailureKind.Permanent, $"two application properties are called '{name}'");
            }
        }

        return properties.AsReadOnly();
    }

    /// <summary>Encodes plain values with distinct names as one AMQP map. Empty for none.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the type of a value is not allowed in application properties.</exception>
    public static ReadOnlyMemory<byte> Encode(IEnumerable<KeyValuePair<string, object?>> properties)
    {
        using var entries = properties.GetEnumerator();
        return Encode(entries);
    }

    /// <inheritdoc cref="Encode(IEnumerable{KeyValuePair{string, object?}})"/>
    internal static ReadOnlyMemory<byte> Encode(Dictionary<string, object?> properties) => Encode(properties.GetEnumerator());

    private static ReadOnlyMemory<byte> Encode<TEntries>(TEntries entries)
        where TEntries : IEnumerator<KeyValuePair<string, object?>>
    {
        var buffer = scratch ??= new ArrayBufferWriter<byte>(ScratchSize);
        buffer.ResetWrittenCount();
        var writer = new AmqpWriter(buffer);
        var start = writer.BeginMap();
        var count = 0;
        while (entries.MoveNext())
        {
            (var name, var value) = entries.Current;
            writer.WriteString(name);
            writer.WriteValue(ToEncodable(name, value));
            count++;
        }

        writer.EndMap(start, count);
        writer.Flush();
        var encoded = count == 0 ? default(ReadOnlyMemory<byte>) : buffer.WrittenSpan.ToArray();
        if (buffer.Capacity > LargestScratch)
        {
            scratch = null;
        }

        return encoded;
    }

    /// <summary>The values as they are encoded, under keys of the type that the map needs.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the type of a value is not allowed in application properties.</exception>
    internal static AmqpMap ToMap(IEnumerable<KeyValuePair<string, object?>> properties, Func<string, object> key)
    {
        AmqpMap map = [];
        foreach ((var name, var value) in properties)
        {
            map[key(name)] = ToEncodable(name, value);
        }

        return map;
    }

    /// <summary>The plain form of a value that is plain or an AMQP type of this project.</summary>
    /// <exception cref="MessagingException">Kind Permanent when there is none: the packages would omit the property, or fail.</exception>
    internal static object? GetPlainForm(string name, object? value) =>
        value is char or DateTime or byte[] or ArraySegment<byte> or decimal or TimeSpan or DateTimeOffset or Uri ? value : GetPlain(name, value);

    private static AmqpMap MapOf(ReadOnlyMemory<byte> encoded)
    {
        try
        {
            return new AmqpReader(encoded).ReadMap();
        }
        catch (AmqpException malformed)
        {
            throw new MessagingException(FailureKind.Permanent, "the application properties are not one AMQP map", malformed);
        }
    }

    private static object? GetPlain(string name, object? value) =>
        value switch
        {
            null or bool or byte or sbyte or short or ushort or int or uint or long or ulong or float or double or Guid or string => value,
            AmqpSymbol symbol => symbol.Value,
            AmqpChar { CodePoint: <= char.MaxValue } letter => (char)letter.CodePoint,
            AmqpTimestamp time => time.ToDateTimeOffset().UtcDateTime,
            ReadOnlyMemory<byte> bytes => bytes.ToArray(),
            AmqpDecimal number when Decimal128.TryDecode(number, out var plain) => plain,
            AmqpDescribed { Descriptor: AmqpSymbol type, Value: long ticks } when type == TimeSpanType => TimeSpan.FromTicks(ticks),
            AmqpDescribed { Descriptor: AmqpSymbol type, Value: long and >= 0 and var ticks }
                when type == DateTimeOffsetType && ticks <= DateTimeOffset.MaxValue.Ticks => new DateTimeOffset(ticks, TimeSpan.Zero),
            AmqpDescribed { Descriptor: AmqpSymbol type, Value: string address }
                when type == UriType && Uri.TryCreate(address, UriKind.RelativeOrAbsolute, out var uri) => uri,
            _ => throw NoPlainForm(name, value),
        };

    private static object? ToEncodable(string name, object? value) =>
        value switch
        {
            null or bool or byte or sbyte or short or ushort or int or uint or long or ulong or float or double or Guid or string => value,
            char letter => new AmqpChar(letter),
            DateTime time => AmqpTimestamp.From(new DateTimeOffset(time.ToUniversalTime())),
            byte[] bytes => new ReadOnlyMemory<byte>(bytes),
            ArraySegment<byte> bytes => new ReadOnlyMemory<byte>(bytes.Array, bytes.Offset, bytes.Count),
            ReadOnlyMemory<byte> => value,
            decimal number => Decimal128.Encode(number),
            TimeSpan span => new AmqpDescribed(TimeSpanType, span.Ticks),
            DateTimeOffset time => new AmqpDescribed(DateTimeOffsetType, time.UtcTicks),
            Uri address => new AmqpDescribed(UriType, address.OriginalString),
            _ => throw NoPlainForm(name, value),
        };

    private static MessagingException NoPlainForm(string name, object value) =>
        new(FailureKind.Permanent, $"application property '{name}' is of type {GetTypeName(value)}, which the packages do not carry");

    private static string GetTypeName(object value) =>
        value switch
        {
            AmqpMap => "map",
            AmqpArray or Array => "array",
            IList => "list",
            AmqpDescribed { Descriptor: var type } => $"described '{type}'",
            AmqpDecimal { Bytes.Length: 4 } => "decimal32",
            AmqpDecimal { Bytes.Length: 8 } => "decimal64",
            AmqpDecimal => "decimal128 beyond the range of .NET's decimal",
            AmqpChar => "char above U+FFFF",
            _ => value.GetType().Name,
        };
}
