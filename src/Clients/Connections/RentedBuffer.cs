using System.Buffers;
using System.Diagnostics;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Bytes in an array from a pool. Releasing them returns the array. Not for concurrent use.</summary>
internal sealed class RentedBuffer : IBufferWriter<byte>
{
    // A message of the usual size fits, and a batch grows to the limit of a link in four steps.
    private const int Smallest = 4_096;
    private const int Growth = 4;

    // The shared pool keeps few arrays of a size. With more messages under way than that, most would get a new array.
    private const int LargestOwn = 16_384;
    private const int MostOwn = 512;

    private static readonly ArrayPool<byte> Own = ArrayPool<byte>.Create(LargestOwn, MostOwn);

    private byte[]? bytes;

    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Written => bytes.AsMemory(0, Length);

    public void Advance(int count)
    {
        Debug.Assert(bytes is not null && count <= bytes.Length - Length, "no more than was requested");
        Length += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => Reserve(sizeHint).AsMemory(Length);

    public Span<byte> GetSpan(int sizeHint = 0) => Reserve(sizeHint).AsSpan(Length);

    /// <summary>Bytes that are written, to be patched or moved.</summary>
    public Span<byte> Patch(int start) => bytes.AsSpan(start, Length - start);

    /// <summary>Removes everything after a position.</summary>
    public void Truncate(int length) => Length = length;

    /// <summary>Returns the array. The bytes must not be read afterwards, because another buffer may use them.</summary>
    public void Release()
    {
        if (bytes is { } rented)
        {
            bytes = null;
            Length = 0;
            GetPool(rented.Length).Return(rented);
        }
    }

    private byte[] Reserve(int count)
    {
        count = Math.Max(count, 1);
        if (bytes is null || bytes.Length - Length < count)
        {
            Grow(checked(Length + count));
        }

        return bytes!;
    }

    private void Grow(int least)
    {
        var size = Math.Max(least, bytes is null ? Smallest : (int)Math.Min((long)bytes.Length * Growth, Array.MaxLength));
        var larger = GetPool(size).Rent(size);
        if (bytes is { } smaller)
        {
            Written.CopyTo(larger);
            GetPool(smaller.Length).Return(smaller);
        }

        bytes = larger;
    }

    // The lengths of both pools are powers of two, so the length of an array shows its pool.
    private static ArrayPool<byte> GetPool(int length) => length <= LargestOwn ? Own : ArrayPool<byte>.Shared;
}
