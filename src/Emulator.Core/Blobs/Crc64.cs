using System.Buffers.Binary;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The checksum of the service for transfers: the polynomial 0x9A6C9329AC4BC9B5 (reflected), all bits inverted before and after.</summary>
internal struct Crc64()
{
    private const ulong Polynomial = 0x9A6C_9329_AC4B_C9B5;
    private const int Values = 256;

    // The remainder of a byte that is followed by zero to seven more bytes. Eight bytes are processed in one step, because every upload pays for this.
    private static readonly ulong[] Tables = MakeTables();

    private ulong remainder = ulong.MaxValue;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        var value = remainder;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
        {
            var eight = value ^ BinaryPrimitives.ReadUInt64LittleEndian(bytes);
            value = 0;
            for (var behind = sizeof(ulong) - 1; behind >= 0; behind--, eight >>= 8)
            {
                value ^= Tables[(behind * Values) + (byte)eight];
            }
        }

        foreach (var next in bytes)
        {
            value = Tables[(byte)(value ^ next)] ^ (value >> 8);
        }

        remainder = value;
    }

    /// <summary>The checksum of the bytes so far.</summary>
    public readonly ulong Value => ~remainder;

    /// <summary>Base64 as in headers: eight bytes, the least significant first.</summary>
    public readonly string ToBase64()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Value);
        return Convert.ToBase64String(bytes);
    }

    private static ulong[] MakeTables()
    {
        var tables = new ulong[sizeof(ulong) * Values];
        for (uint index = 0; index < Values; index++)
        {
            ulong value = index;
            for (var bit = 0; bit < 8; bit++)
            {
                value = (value & 1) == 0 ? value >> 1 : (value >> 1) ^ Polynomial;
            }

            tables[index] = value;
        }

        for (var index = Values; index < tables.Length; index++)
        {
            var before = tables[index - Values];
            tables[index] = tables[(byte)before] ^ (before >> 8);
        }

        return tables;
    }
}
