using System.Buffers;

namespace EventHubThroughput.Amqp.Tests.Framing;

/// <summary>A sequence cut into segments of a given size, as a pipe may deliver it.</summary>
internal sealed class Segments : ReadOnlySequenceSegment<byte>
{
    private Segments(ReadOnlyMemory<byte> memory, long index)
    {
        Memory = memory;
        RunningIndex = index;
    }

    public static ReadOnlySequence<byte> Of(ReadOnlyMemory<byte> bytes, int size)
    {
        var first = new Segments(bytes[..Math.Min(size, bytes.Length)], 0);
        var last = first;
        for (var at = size; at < bytes.Length; at += size)
        {
            var next = new Segments(bytes.Slice(at, Math.Min(size, bytes.Length - at)), at);
            last.Next = next;
            last = next;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}
