using System.Buffers;
using System.Diagnostics;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Bytes in an array from the shared pool, which takes it back when they are released. Not for concurrent use.</summary>
internal sealed class RentedBuffer : IBufferWriter<byte>
{
    // An event of the usual size fits several times, and a batch grows to the limit of a link in three steps.
    private const int Smallest = 16_384;
    private const int Growth = 4;

    private byte[]? bytes;

    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Written => bytes.AsMemory(0, Length);

    public void Advance(int count)
    {
        Debug.Assert(bytes is not null && count <= bytes.Length - Length, "no more than was asked for");
        Length += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => Reserve(sizeHint).AsMemory(Length);

    public Span<byte> GetSpan(int sizeHint = 0) => Reserve(sizeHint).AsSpan(Length);

    /// <summary>Bytes that are written, to be patched or moved.</summary>
    public Span<byte> Patch(int start) => bytes.AsSpan(start, Length - start);

    /// <summary>Drops everything behind a place.</summary>
    public void Truncate(int length) => Length = length;

    /// <summary>Gives the array back: whoever still reads the bytes reads another one's.</summary>
    public void Release()
    {
        if (bytes is { } rented)
        {
            bytes = null;
            Length = 0;
            ArrayPool<byte>.Shared.Return(rented);
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
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(least, bytes is null ? Smallest : (int)Math.Min((long)bytes.Length * Growth, Array.MaxLength)));
        if (bytes is { } smaller)
        {
            Written.CopyTo(larger);
            ArrayPool<byte>.Shared.Return(smaller);
        }

        bytes = larger;
    }
}
