namespace EventHubThroughput.Amqp.Codec;

// The .NET types of the AMQP types, boxed as object where the type is not known beforehand. null: null. boolean: bool. ubyte: byte. byte: sbyte. ushort,
// short, uint, int, ulong, long: the same. float: float. double: double. decimal32/64/128: AmqpDecimal. char: AmqpChar. timestamp: AmqpTimestamp. uuid: Guid.
// binary: ReadOnlyMemory<byte>. string: string. symbol: AmqpSymbol. list: AmqpList. map: AmqpMap. array: AmqpArray. described: AmqpDescribed.

/// <summary>A symbol: ASCII text from a constrained domain (AMQP 1.0 part 1, 1.6.21).</summary>
/// <param name="Value">The text.</param>
public readonly record struct AmqpSymbol(string Value)
{
    /// <summary>Creates a symbol of a text.</summary>
    public static implicit operator AmqpSymbol(string value) => new(value);

    /// <inheritdoc/>
    public override string ToString() => Value;
}

/// <summary>A timestamp: milliseconds since 1970-01-01T00:00:00Z, signed (AMQP 1.0 part 1, 1.6.17).</summary>
/// <param name="Milliseconds">Milliseconds since the Unix epoch.</param>
public readonly record struct AmqpTimestamp(long Milliseconds)
{
    /// <summary>The timestamp of a point in time, truncated to milliseconds.</summary>
    public static AmqpTimestamp From(DateTimeOffset time) => new(time.ToUnixTimeMilliseconds());

    /// <summary>The point in time, clamped to what <see cref="DateTimeOffset"/> can hold.</summary>
    public DateTimeOffset ToDateTimeOffset() =>
        DateTimeOffset.FromUnixTimeMilliseconds(
            Math.Clamp(Milliseconds, DateTimeOffset.MinValue.ToUnixTimeMilliseconds(), DateTimeOffset.MaxValue.ToUnixTimeMilliseconds())
        );
}

/// <summary>A char: one UTF-32 code unit, kept as sent (AMQP 1.0 part 1, 1.6.16).</summary>
/// <param name="CodePoint">The code point.</param>
public readonly record struct AmqpChar(uint CodePoint);

/// <summary>A described value: a descriptor and the value that it describes.</summary>
/// <param name="Descriptor">
/// A ulong or an <see cref="AmqpSymbol"/>. Others are reserved (AMQP 1.0 part 1, 1.2). Some peers send them nevertheless: azure-eventhub 5.11 for Python
/// describes a number by its access token.
/// </param>
/// <param name="Value">The described value.</param>
public sealed record AmqpDescribed(object Descriptor, object? Value);
