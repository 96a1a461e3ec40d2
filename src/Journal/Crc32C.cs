using System.Buffers.Binary;
using System.Numerics;

namespace EventHubThroughput.Journal;

/// <summary>CRC-32C (Castagnoli) as RFC 3720 defines it: start and result are inverted.</summary>
public static class Crc32C
{
    /// <summary>The checksum of the bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        while (bytes.Length >= sizeof(ulong))
        {
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            bytes = bytes[sizeof(ulong)..];
        }

        foreach (var value in bytes)
        {
            crc = BitOperations.Crc32C(crc, value);
        }

        return ~crc;
    }
}
