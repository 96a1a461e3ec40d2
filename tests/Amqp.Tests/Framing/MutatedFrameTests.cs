using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

/// <summary>Hostile input: recorded frames with bytes changed, moved, cut or repeated. The seed is printed and can be given back.</summary>
public sealed class MutatedFrameTests
{
    private const int Frames = 100_000;
    private const long Slack = 64 * 1024;

    private static readonly byte[][] Recorded = [.. RecordedFrames.All.Select(Bytes.Of)];

    // Bytes at which decoders go wrong: constructors, bounds of widths.
    private static readonly byte[] Telling =
    [
        0x00,
        0x01,
        0x02,
        0x7f,
        0x80,
        0xff,
        0x40,
        0x41,
        0x44,
        0x45,
        0x53,
        0x56,
        0x70,
        0x80,
        0x83,
        0x98,
        0xa0,
        0xa1,
        0xa3,
        0xb0,
        0xb1,
        0xb3,
        0xc0,
        0xc1,
        0xd0,
        0xd1,
        0xe0,
        0xf0,
    ];

    [Fact]
    public void No_mutated_frame_gives_another_exception_or_takes_more_memory_than_its_bytes_justify()
    {
        var seed = Environment.GetEnvironmentVariable("AMQP_MUTATION_SEED") is { } given ? int.Parse(given) : Budget.DrawSeed();
        TestContext.Current.TestOutputHelper?.WriteLine($"AMQP_MUTATION_SEED={seed}");
        var random = new Random(seed);
        var refused = 0;
        for (var i = 0; i < Frames; i++)
        {
            var frame = Mutate(Recorded[random.Next(Recorded.Length)], random);
            var (fault, allocated) = Measure(frame);
            if (allocated > (2 * frame.Length) + Slack)
            {
                // The runtime loads what a path needs at its first use; only what comes back is the decoder's.
                (fault, allocated) = Measure(frame);
            }

            refused += fault is null ? 0 : 1;
            var sound = fault is null or AmqpException { Scope: AmqpErrorScope.Decode };
            Assert.True(sound, $"seed {seed}, frame {i}: {Bytes.Hex(frame)}: {fault}");
            Assert.True(allocated <= (2 * frame.Length) + Slack, $"seed {seed}, frame {i}: {Bytes.Hex(frame)}: {allocated} bytes");
        }

        // Were all refused, or none, the mutations would test nothing.
        Assert.InRange(refused, Frames / 10, Frames * 99 / 100);
    }

    private static (Exception? Fault, long Allocated) Measure(byte[] frame)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var fault = Attempt(frame);
        return (fault, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static Exception? Attempt(byte[] frame)
    {
        try
        {
            var buffer = new ReadOnlySequence<byte>(frame);
            while (FrameReader.TryRead(ref buffer, 65_536, out var read))
            {
                if (read.Performative is Transfer)
                {
                    MessageSections.Split(read.Payload);
                    AmqpMessage.Decode(read.Payload);
                }
            }

            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    private static byte[] Mutate(byte[] original, Random random)
    {
        var bytes = original.ToList();
        for (var changes = random.Next(1, 5); changes > 0; changes--)
        {
            var at = random.Next(bytes.Count);
            switch (random.Next(6))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes[at] = Telling[random.Next(Telling.Length)];
                    break;
                case 2:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 3:
                    bytes.Insert(at, Telling[random.Next(Telling.Length)]);
                    break;
                case 4 when bytes.Count > 9:
                    bytes.RemoveAt(at);
                    break;
                default:
                    bytes.InsertRange(at, bytes.GetRange(at, Math.Min(random.Next(1, 17), bytes.Count - at)));
                    break;
            }
        }

        // Mostly with a size that fits again, so that the decoder behind the header is reached.
        if (random.Next(8) != 0 && bytes.Count >= 8)
        {
            (bytes[0], bytes[1], bytes[2], bytes[3]) = (0, 0, (byte)(bytes.Count >> 8), (byte)bytes.Count);
            (bytes[4], bytes[5]) = (2, original[5]);
        }

        return [.. bytes];
    }
}
