using System.Buffers.Binary;
using System.Numerics;
using System.Text;

namespace EventHubThroughput.AzureProtocol;

/// <summary>
/// The partition of a key: Bob Jenkins' lookup3 ("hashlittle2", both seeds 0) over the key's UTF-8 bytes. The service and the official buffered producers
/// compute the same.
/// </summary>
public static class PartitionKeyHash
{
    private const uint Golden = 0xdeadbeef;
    private const int LongestOnStack = 512;

    public static short Hash(string key)
    {
        if (key.Length == 0)
        {
            return 0;
        }

        // Keys up to the service's limit fit on the stack, longer ones go to the heap.
        var size = Encoding.UTF8.GetMaxByteCount(key.Length);
        var bytes = size <= LongestOnStack ? stackalloc byte[LongestOnStack] : new byte[size];
        (var c, var b) = HashLittle2(bytes[..Encoding.UTF8.GetBytes(key, bytes)]);
        return unchecked((short)(c ^ b));
    }

    public static int PartitionOf(string key, int partitionCount)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(partitionCount, 1);
        return Math.Abs(Hash(key) % partitionCount);
    }

    private static (uint C, uint B) HashLittle2(ReadOnlySpan<byte> bytes)
    {
        var a = unchecked(Golden + (uint)bytes.Length);
        var b = a;
        var c = a;
        unchecked
        {
            // The last block, even a full one, is mixed by the final step: hence "more than 12", not "at least".
            while (bytes.Length > 12)
            {
                a += BinaryPrimitives.ReadUInt32LittleEndian(bytes);
                b += BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
                c += BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]);
                a -= c;
                a ^= BitOperations.RotateLeft(c, 4);
                c += b;
                b -= a;
                b ^= BitOperations.RotateLeft(a, 6);
                a += c;
                c -= b;
                c ^= BitOperations.RotateLeft(b, 8);
                b += a;
                a -= c;
                a ^= BitOperations.RotateLeft(c, 16);
                c += b;
                b -= a;
                b ^= BitOperations.RotateLeft(a, 19);
                a += c;
                c -= b;
                c ^= BitOperations.RotateLeft(b, 4);
                b += a;
                bytes = bytes[12..];
            }

            Span<byte> tail = stackalloc byte[12];
            tail.Clear();
            bytes.CopyTo(tail);
            a += BinaryPrimitives.ReadUInt32LittleEndian(tail);
            b += BinaryPrimitives.ReadUInt32LittleEndian(tail[4..]);
            c += BinaryPrimitives.ReadUInt32LittleEndian(tail[8..]);
            c ^= b;
            c -= BitOperations.RotateLeft(b, 14);
            a ^= c;
            a -= BitOperations.RotateLeft(c, 11);
            b ^= a;
            b -= BitOperations.RotateLeft(a, 25);
            c ^= b;
            c -= BitOperations.RotateLeft(b, 16);
            a ^= c;
            a -= BitOperations.RotateLeft(c, 4);
            b ^= a;
            b -= BitOperations.RotateLeft(a, 14);
            c ^= b;
            c -= BitOperations.RotateLeft(b, 24);
        }

        return (c, b);
    }
}
