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

    [Fact]
    public void No_mutated_frame_gives_another_exception_or_takes_more_memory_than_its_bytes_justify()
    {
        var seed = Environment.GetEnvironmentVariable("AMQP_MUTATION_SEED") is { } given ? int.Parse(given) : Budget.DrawSeed();
        TestContext.Current.TestOutputHelper?.WriteLine($"AMQP_MUTATION_SEED={seed}");
        var random = new Random(seed);
        var refused = 0;
        for (var i = 0; i < Frames; i++)
        {
            var frame = FrameMutator.Mutate(Recorded[random.Next(Recorded.Length)], random);
            var (fault, allocated) = Measure(frame);
            if (allocated > (2 * frame.Length) + Slack)
            {
                // The runtime loads code at its first use. Only allocations that come back belong to the decoder.
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
}
