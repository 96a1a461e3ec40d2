using System.Buffers.Binary;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The service's checksum of transfers: the polynomial 0x9A6C9329AC4BC9B5 (reflected), all bits inverted before and after.</summary>
internal struct Crc64()
{
    private const ulong Polynomial = 0x9A6C_9329_AC4B_C9B5;

    private static readonly ulong[] Table = MakeTable();

    private ulong remainder = ulong.MaxValue;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        ulong value = remainder;
        foreach (byte next in bytes)
        {
            value = Table[(byte)(value ^ next)] ^ (value >> 8);
        }

        remainder = value;
    }

    /// <summary>As headers carry it: eight bytes, the least significant first.</summary>
    public readonly string ToBase64()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, ~remainder);
        return Convert.ToBase64String(bytes);
    }

    private static ulong[] MakeTable()
    {
        ulong[] table = new ulong[256];
        for (uint index = 0; index < table.Length; index++)
        {
            ulong value = index;
            for (int bit = 0; bit < 8; bit++)
            {
                value = (value & 1) == 0 ? value >> 1 : (value >> 1) ^ Polynomial;
            }

            table[index] = value;
        }

        return table;
    }
}
