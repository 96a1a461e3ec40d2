using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Clients;

/// <summary>
/// .NET's decimal as AMQP's decimal128: sign, 14 bits of exponent and 113 bits of a binary coefficient (IEEE 754-2008, 3.5.2).
/// </summary>
internal static class Decimal128
{
    private const int Bias = 6176;
    private const int CoefficientBits = 113;
    private const int MostPlaces = 28;

    // The packages write 5 of the 7 upper bits of the exponent, so that 1.5 becomes 15 x 10^-4609. A decimal of .NET cannot have that many places.
    private const int PlacesTooMany = 4608;

    private static readonly UInt128 LargestCoefficient = new(uint.MaxValue, ulong.MaxValue);

    public static AmqpDecimal Encode(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        var coefficient = new UInt128((uint)parts[2], ((ulong)(uint)parts[1] << 32) | (uint)parts[0]);
        var sign = decimal.IsNegative(value) ? UInt128.One << 127 : UInt128.Zero;
        var bytes = new byte[16];
        BinaryPrimitives.WriteUInt128BigEndian(bytes, sign | ((UInt128)(uint)(Bias - value.Scale) << CoefficientBits) | coefficient);
        return new AmqpDecimal(bytes);
    }

    /// <summary>Reads the number in the form of the standard and in that of the packages. False when a decimal cannot hold it.</summary>
    public static bool TryDecode(AmqpDecimal number, out decimal value)
    {
        value = 0;
        if (number.Bytes.Length != 16)
        {
            return false;
        }

        var bits = BinaryPrimitives.ReadUInt128BigEndian(number.Bytes.Span);
        var coefficient = bits & ((UInt128.One << CoefficientBits) - 1);
        var places = Bias - (int)((bits >> CoefficientBits) & 0x3fff);
        places -= places >= PlacesTooMany ? PlacesTooMany : 0;
        if (coefficient > LargestCoefficient || places is < 0 or > MostPlaces)
        {
            return false;
        }

        var low = (ulong)coefficient;
        value = new decimal((int)(uint)low, (int)(uint)(low >> 32), (int)(uint)(coefficient >> 64), bits >> 127 == UInt128.One, (byte)places);
        return true;
    }
}
