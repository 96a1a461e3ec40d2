using System.Buffers;

namespace EventHubThroughput.Amqp.Tests.Codec;

/// <summary>Lends exactly what is asked for, and wipes what it lent before, as a pipe may.</summary>
internal sealed class StingyOutput : IBufferWriter<byte>
{
    private readonly List<byte> _written = [];
    private byte[] _lent = [];

    public byte[] Written => [.. _written];

    public void Advance(int count)
    {
        _written.AddRange(_lent.AsSpan(0, count));
        _lent = [];
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        _lent.AsSpan().Fill(0xee);
        _lent = new byte[Math.Max(sizeHint, 1)];
        return _lent;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
