namespace EventHubThroughput.Amqp.Codec;

/// <summary>A decimal32, decimal64 or decimal128, kept as the bytes of the wire.</summary>
public sealed class AmqpDecimal : IEquatable<AmqpDecimal>
{
    // The most digits after the point of a System.Decimal.
    private const int LargestScale = 28;

    // The first seven bits of the exponent of every decimal that .NET has. Microsoft's own library (2.7.0) writes and reads this value instead of the one two
    // places below. No other number uses it: as an exponent it exceeds what a decimal can hold.
    private const int RealExponent = 0x30;
    private const int MisplacedExponent = RealExponent >> 2;

    /// <summary>Creates a decimal of its bytes.</summary>
    /// <param name="bytes">4, 8 or 16 bytes, IEEE 754-2008, big-endian. Not copied.</param>
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

    /// <summary>The number, if <see cref="decimal"/> holds it exactly. Null when it does not, as for infinities.</summary>
    /// <remarks>The coefficient is read as a binary integer, which is how .NET's clients write it (IEEE 754-2008, 3.5.2).</remarks>
    public decimal? ToDecimal()
    {
        var (exponentBits, bias) = Bytes.Length switch
        {
            4 => (8, 101),
            8 => (10, 398),
            _ => (14, 6176),
        };
        var bits = UInt128.Zero;
        foreach (var next in Bytes.Span)
        {
            bits = (bits << 8) | next;
        }

        var coefficientBits = (Bytes.Length * 8) - 1 - exponentBits;
        var coefficient = bits & ((UInt128.One << coefficientBits) - 1);
        var exponent = (int)((bits >> coefficientBits) & ((UInt128.One << exponentBits) - 1));
        if (Bytes.Length == 16 && exponent >> 7 == MisplacedExponent)
        {
            exponent = (RealExponent << 7) | (exponent & 0x7F);
        }

        var isNegative = bits >> ((Bytes.Length * 8) - 1) != 0;

        // Two set bits at the beginning: a coefficient that a decimal cannot hold, an infinity or NaN.
        return exponent >> (exponentBits - 2) == 3 || coefficient >> 96 != 0 ? null : Scale(coefficient, exponent - bias, isNegative);
    }

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

    private static decimal? Scale(UInt128 coefficient, int exponent, bool isNegative)
    {
        for (; exponent > 0 && coefficient != 0 && coefficient >> 96 == 0; exponent--)
        {
            coefficient *= 10;
        }

        for (; exponent < -LargestScale && coefficient % 10 == 0 && coefficient != 0; exponent++)
        {
            coefficient /= 10;
        }

        return coefficient == 0 ? 0m
            : exponent is > 0 or < -LargestScale || coefficient >> 96 != 0 ? null
            : new decimal((int)(uint)coefficient, (int)(uint)(coefficient >> 32), (int)(uint)(coefficient >> 64), isNegative, (byte)-exponent);
    }
}
