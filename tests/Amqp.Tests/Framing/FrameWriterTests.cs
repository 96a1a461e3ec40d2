using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

public sealed class FrameWriterTests
{
    [Fact]
    public void A_heartbeat_is_an_empty_frame()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.WriteHeartbeat(output);
        Assert.Equal("0000000802000000", Bytes.Hex(output.WrittenSpan));
    }

    [Fact]
    public void A_frame_states_size_type_and_channel()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 0x0102, new End(), 512);
        FrameWriter.WriteSasl(output, new SaslOutcome { Code = SaslCode.Auth });
        Assert.Equal("0000000f02000102005317c0020140" + "0000001102010000005344c00402500140", Bytes.Hex(output.WrittenSpan));
    }

    [Theory]
    [InlineData(512u, 0)]
    [InlineData(512u, 1)]
    [InlineData(512u, 470)]
    [InlineData(512u, 10_000)]
    [InlineData(65_536u, 200_000)]
    [InlineData(uint.MaxValue, 1_048_576)]
    public void A_payload_is_cut_into_frames_that_the_peer_takes(uint maxFrameSize, int length)
    {
        var payload = new byte[length];
        Random.Shared.NextBytes(payload);
        var transfer = new Transfer
        {
            Handle = 1,
            DeliveryId = 300,
            DeliveryTag = new byte[] { 1, 0, 0, 0 },
            MessageFormat = 0,
        };
        var (frames, read) = Cut(transfer, payload, maxFrameSize);
        Assert.Equal(payload, read);
        Assert.All(frames.SkipLast(1), frame => Assert.True(((Transfer)frame.Performative!).More));
        Assert.False(((Transfer)frames[^1].Performative!).More);
    }

    [Fact]
    public void No_frame_of_any_length_exceeds_the_limit_or_is_split_without_need()
    {
        var transfer = new Transfer
        {
            Handle = 1,
            DeliveryId = 1,
            DeliveryTag = new byte[4],
        };
        var alone = RecordedFrames.Encode(new Frame(FrameType.Amqp, 0, transfer, default)).Length;
        for (var length = 512 - alone - 8; length <= 512 - alone + 8; length++)
        {
            var (frames, _) = Cut(transfer, new byte[length], 512);
            Assert.Equal(alone + length <= 512 ? 1 : 2, frames.Count);
        }
    }

    [Fact]
    public void More_stays_set_when_the_caller_has_further_parts()
    {
        var (frames, _) = Cut(new Transfer { More = true }, new byte[3], 512);
        Assert.True(((Transfer)frames.Single().Performative!).More);
    }

    [Fact]
    public void A_frame_that_does_not_fit_is_refused_and_nothing_is_written()
    {
        var output = new ArrayBufferWriter<byte>();
        var open = new Open { ContainerId = new string('c', 600) };
        var exception = Assert.Throws<AmqpException>(() => FrameWriter.Write(output, 0, open, 512));
        Assert.Equal(ErrorCondition.FrameSizeTooSmall, exception.Error.Condition.Value);
        Assert.Throws<AmqpException>(() => FrameWriter.WriteSasl(output, new SaslResponse { Response = new byte[512] }));
        Assert.Throws<AmqpException>(() =>
            FrameWriter.WriteTransfer(output, 0, new Transfer { DeliveryTag = new byte[32] }, new ReadOnlySequence<byte>(new byte[9]), 50)
        );
        Assert.Equal(0, output.WrittenCount);
    }

    [Fact]
    public void A_frame_larger_than_what_the_output_lends_is_written_whole()
    {
        var output = new StingyOutput();
        var open = new Open { ContainerId = new string('c', 3000), HostName = new string('h', 3000) };
        FrameWriter.Write(output, 3, open, 65_536);
        Assert.Equal(open, FrameReader.Decode(output.Written).Performative);
    }

    private static (List<Frame> Frames, byte[] Payload) Cut(Transfer transfer, byte[] payload, uint maxFrameSize)
    {
        var output = new ArrayBufferWriter<byte>();
        var rest = Segments.Of(payload, 1000);
        do
        {
            rest = rest.Slice(FrameWriter.WriteTransfer(output, 5, transfer, rest, maxFrameSize));
        } while (!rest.IsEmpty);

        var frames = new List<Frame>();
        var buffer = new ReadOnlySequence<byte>(output.WrittenMemory);
        while (FrameReader.TryRead(ref buffer, maxFrameSize, out var frame))
        {
            Assert.Equal(5, frame.Channel);
            frames.Add(frame);
        }

        Assert.True(buffer.IsEmpty);
        return (frames, [.. frames.SelectMany(frame => frame.Payload.ToArray())]);
    }
}
