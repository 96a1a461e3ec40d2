using System.Buffers.Binary;
using EventHubThroughput.Amqp.Tests.Codec;
using EventHubThroughput.Amqp.Tests.Framing;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Makes streams of a recorded conversation: frames changed, left out, repeated, moved, or replaced by those of other libraries.</summary>
internal sealed class FuzzedTraffic
{
    private const int HeaderLength = 8;

    private static readonly byte[][] Foreign = [.. RecordedFrames.All.Select(Bytes.Of)];

    private readonly byte[][] pieces;

    /// <param name="conversation">The output of one side: protocol headers and frames.</param>
    public FuzzedTraffic(byte[] conversation)
    {
        List<byte[]> found = [];
        for (var at = 0; at < conversation.Length; )
        {
            var length = conversation.AsSpan(at).StartsWith("AMQP"u8) ? HeaderLength : BinaryPrimitives.ReadInt32BigEndian(conversation.AsSpan(at));
            found.Add(conversation[at..(at + length)]);
            at += length;
        }

        pieces = [.. found];
    }

    public byte[] Next(Random random)
    {
        var stream = pieces.ToList();

        // The handshake is mostly left alone, as there is more to be found after it.
        var first = random.Next(8) == 0 ? 0 : stream.FindLastIndex(static piece => piece.AsSpan().StartsWith("AMQP"u8)) + 1;
        for (var changes = random.Next(1, 4); changes > 0 && stream.Count > first; changes--)
        {
            var at = random.Next(first, stream.Count);
            switch (random.Next(6))
            {
                case 0:
                    stream.RemoveAt(at);
                    break;
                case 1:
                    stream.Insert(random.Next(first, stream.Count), stream[at]);
                    break;
                case 2:
                    (stream[at], stream[first]) = (stream[first], stream[at]);
                    break;
                case 3:
                    stream[at] = FrameMutator.Mutate(Foreign[random.Next(Foreign.Length)], random);
                    break;
                default:
                    stream[at] = FrameMutator.Mutate(stream[at], random);
                    break;
            }
        }

        var bytes = stream.SelectMany(static piece => piece).ToArray();
        return random.Next(8) == 0 ? bytes[..random.Next(bytes.Length + 1)] : bytes;
    }
}
