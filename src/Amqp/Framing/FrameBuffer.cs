using System.Buffers;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Bytes that wait to be written to the socket. It grows and is used again.</summary>
internal sealed class FrameBuffer : IBufferWriter<byte>
{
    private const int Smallest = 4_096;
    private const int LargestKept = 1024 * 1024;
    private byte[] _bytes = new byte[Smallest];
    private bool _isRented;

    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    public void Advance(int count) => Length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _bytes.AsMemory(Length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _bytes.AsSpan(Length);
    }

    /// <summary>Removes everything after a position, to be encoded again.</summary>
    public void Truncate(int length) => Length = length;

    /// <summary>Empties it. An array that became large in a burst returns to the pool, where the next burst finds it.</summary>
    public void Clear()
    {
        Length = 0;
        if (_bytes.Length > LargestKept)
        {
            Exchange(new byte[Smallest]);
        }
    }

    private void Reserve(int count)
    {
        if (_bytes.Length - Length < count)
        {
            var larger = ArrayPool<byte>.Shared.Rent(checked((int)Math.Max(_bytes.Length * 2L, (long)Length + count)));
            Written.CopyTo(larger);
            Exchange(larger);
        }
    }

    private void Exchange(byte[] bytes)
    {
        if (_isRented)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        _isRented = bytes.Length > Smallest;
        _bytes = bytes;
    }
}
