namespace EventHubThroughput.Amqp.Codec;

/// <summary>A decimal32, decimal64 or decimal128, kept as the bytes of the wire.</summary>
public sealed class AmqpDecimal : IEquatable<AmqpDecimal>
{
    /// <summary>Makes a decimal of its bytes.</summary>
    /// <param name="bytes">4, 8 or 16 bytes, IEEE 754-2008, big-endian; not copied.</param>
    /// <exception cref="ArgumentException">Another number of bytes.</exception>
    public AmqpDecimal(ReadOnlyMemory<byte> bytes)
    {
        if (bytes.Length is not (4 or 8 or 16))
        {
            throw new ArgumentException("A decimal has 4, 8 or 16 bytes.", nameof(bytes));
        }

        Bytes = bytes;
    }

    /// <summary>The bytes, big-endian.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <inheritdoc/>
    public bool Equals(AmqpDecimal? other) => other is not null && Bytes.Span.SequenceEqual(other.Bytes.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as AmqpDecimal);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = default(HashCode);
        hash.AddBytes(Bytes.Span);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public override string ToString() => $"decimal{Bytes.Length * 8}(0x{Convert.ToHexString(Bytes.Span)})";
}
