using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

public sealed class FrameReaderTests
{
    [Fact]
    public void Frames_are_read_alike_however_the_stream_is_cut()
    {
        var stream = RecordedFrames.All.SelectMany(Bytes.Of).ToArray();
        foreach (var size in new[] { 1, 2, 7, 8, 9, 64, 511, stream.Length })
        {
            var buffer = Segments.Of(stream, size);
            foreach (var recorded in RecordedFrames.All)
            {
                Assert.True(FrameReader.TryRead(ref buffer, 512, out var frame));
                var expected = RecordedFrames.Decode(recorded);
                Assert.Equal((expected.Type, expected.Channel), (frame.Type, frame.Channel));
                Assert.True(Same.Values(expected.Performative, frame.Performative));
                Assert.Equal(Bytes.Hex(expected.Payload.Span), Bytes.Hex(frame.Payload.Span));
            }

            Assert.True(buffer.IsEmpty);
            Assert.False(FrameReader.TryRead(ref buffer, 512, out _));
        }
    }

    [Fact]
    public void Every_split_of_a_stream_gives_the_same_frames() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                AnyPerformative.Amqp.NonEmptyListOf().ToArbitrary(),
                Gen.Choose(1, 200).NonEmptyListOf().ToArbitrary(),
                Gen.Choose(1, 100).ToArbitrary(),
                (performatives, arrivals, segment) =>
                {
                    byte[] stream =
                    [
                        .. performatives.SelectMany(static performative =>
                            RecordedFrames.Encode(new Frame(FrameType.Amqp, 1, performative, performative is Transfer ? new byte[] { 1, 2, 3 } : default))
                        ),
                    ];
                    List<Frame> read = [];
                    for (int arrived = 0, taken = 0, turn = 0; taken < stream.Length; turn++)
                    {
                        arrived = Math.Min(stream.Length, arrived + arrivals[turn % arrivals.Count]);
                        var buffer = Segments.Of(stream.AsMemory(taken..arrived), segment);
                        while (FrameReader.TryRead(ref buffer, uint.MaxValue, out var frame))
                        {
                            read.Add(frame);
                        }

                        taken = arrived - (int)buffer.Length;
                    }

                    return performatives.Count == read.Count
                        && performatives.Zip(read).All(static pair => Same.Values(pair.First, pair.Second.Performative))
                        && read.All(static frame => frame.Performative is not Transfer || frame.Payload.Span.SequenceEqual(new byte[] { 1, 2, 3 }));
                }
            )
        );

    [Fact]
    public void A_frame_that_has_not_arrived_whole_is_waited_for()
    {
        var whole = Bytes.Of(RecordedFrames.JsFlow);
        for (var length = 0; length < whole.Length; length++)
        {
            var buffer = new ReadOnlySequence<byte>(whole, 0, length);
            Assert.False(FrameReader.TryRead(ref buffer, 512, out _));
            Assert.Equal(length, buffer.Length);
        }
    }

    [Fact]
    public void A_frame_keeps_its_bytes_when_the_buffer_is_used_again()
    {
        foreach (var recorded in new[] { RecordedFrames.ServiceBusDelivery, RecordedFrames.JsSaslInit })
        {
            var bytes = Bytes.Of(recorded);
            var frame = FrameReader.Decode(bytes);
            bytes.AsSpan().Fill(0xee);
            Assert.True(Same.Values(RecordedFrames.Decode(recorded).Performative, frame.Performative));
            Assert.Equal(Bytes.Hex(RecordedFrames.Decode(recorded).Payload.Span), Bytes.Hex(frame.Payload.Span));
        }
    }

    [Fact]
    public void A_transfer_with_an_unusual_descriptor_has_its_payload_too()
    {
        var frame = FrameReader.Decode(Bytes.Of("00000019 02000000 00 80 0000000000000014 c00201 43 0a0b0c"));
        Assert.Equal(new Transfer(), frame.Performative);
        Assert.Equal("0a0b0c", Bytes.Hex(frame.Payload.Span));
    }

    [Fact]
    public void An_extended_header_is_passed_over()
    {
        var frame = FrameReader.Decode(Bytes.Of("00000010 04000007 ffffffffffffffff"));
        Assert.Equal(new Frame(FrameType.Amqp, 7, null, default), frame);
        Assert.Equal(new Close(), FrameReader.Decode(Bytes.Of("00000010 03000000 ffffffff 00531845")).Performative);
    }

    [Theory]
    [InlineData("00000201 02000000", "a frame over the limit")]
    [InlineData("ffffffff 02000000", "a frame of 4 GiB")]
    [InlineData("00000007 02000000", "a frame shorter than its header")]
    [InlineData("00000000 02000000", "a frame of no bytes")]
    [InlineData("0000000c 01000000 00531845", "a body inside the header")]
    [InlineData("0000000c 00000000 00531845", "no data offset")]
    [InlineData("0000000c 04000000 00531845", "a body behind the end")]
    [InlineData("0000000c 02020000 00531845", "a type that does not exist")]
    [InlineData("0000000c 02010000 00531845", "AMQP in a SASL frame")]
    [InlineData("00000016 02000000 005344d000000006000000015000", "SASL in an AMQP frame")]
    [InlineData("0000000d 02000000 00531845 40", "bytes behind a performative that takes none")]
    public void A_malformed_frame_is_a_framing_error(string encoded, string what)
    {
        var buffer = new ReadOnlySequence<byte>(Bytes.Of(encoded));
        var exception = Assert.Throws<AmqpException>(() => FrameReader.TryRead(ref buffer, 512, out _));
        Assert.True(exception.Scope == AmqpErrorScope.Decode && exception.Error.Condition.Value == ErrorCondition.FramingError, what);
    }

    [Fact]
    public void The_limit_is_known_from_the_header_alone()
    {
        var buffer = new ReadOnlySequence<byte>(Bytes.Of("00000201 02000000"));
        Assert.Throws<AmqpException>(() => FrameReader.TryRead(ref buffer, 512, out _));
        Assert.False(FrameReader.TryRead(ref buffer, 513, out _));
    }

    [Fact]
    public void A_transfer_that_is_read_into_one_that_there_is_allocates_its_own_bytes_only()
    {
        var transfer = new Transfer
        {
            DeliveryId = 7,
            DeliveryTag = new byte[] { 1, 2, 3, 4 },
            MessageFormat = 0,
        };
        ReadOnlyMemory<byte> encoded = RecordedFrames.Encode(new Frame(FrameType.Amqp, 1, transfer, new byte[1_000]));
        var reused = new ReusedPerformatives();
        reused.Transfer.Head = new TransferHead { Handle = 9, Settled = true };

        var (allocated, frame) = ReadAgain(encoded, reused);

        Assert.Same(reused.Transfer, frame.Performative);
        Assert.Equal(1_000, frame.Payload.Length);
        Assert.True(Same.Values(transfer, reused.Transfer));
        Assert.InRange(allocated, 1_000, 1_060);
    }

    [Fact]
    public void A_disposition_that_is_read_into_one_that_there_is_allocates_nothing()
    {
        var disposition = new Disposition
        {
            Role = LinkRole.Receiver,
            First = 7,
            Settled = true,
            State = Accepted.Instance,
        };
        ReadOnlyMemory<byte> encoded = RecordedFrames.Encode(new Frame(FrameType.Amqp, 1, disposition, default));
        var reused = new ReusedPerformatives();
        reused.Disposition.Head = new DispositionHead { First = 9, Last = 12 };

        var (allocated, frame) = ReadAgain(encoded, reused);

        Assert.Same(reused.Disposition, frame.Performative);
        Assert.True(Same.Values(disposition, reused.Disposition));
        Assert.Equal(0, allocated);
    }

    [Fact]
    public void A_flow_that_is_read_into_one_that_there_is_allocates_nothing()
    {
        var flow = new Flow
        {
            NextIncomingId = 1,
            IncomingWindow = 2,
            NextOutgoingId = 3,
            OutgoingWindow = 4,
            Handle = 5,
            DeliveryCount = 6,
            LinkCredit = 1_000,
        };
        ReadOnlyMemory<byte> encoded = RecordedFrames.Encode(new Frame(FrameType.Amqp, 1, flow, default));
        var reused = new ReusedPerformatives();
        reused.Flow.Head = new FlowHead { Handle = 9, Drain = true };

        var (allocated, frame) = ReadAgain(encoded, reused);

        Assert.Same(reused.Flow, frame.Performative);
        Assert.True(Same.Values(flow, reused.Flow));
        Assert.Equal(0, allocated);
    }

    // The least that one of several readings has allocated, and the last one's frame.
    private static (long Allocated, Frame Frame) ReadAgain(ReadOnlyMemory<byte> encoded, ReusedPerformatives reused)
    {
        Frame frame = default;
        var allocated = Allocations.GetMinimum(() =>
        {
            var buffer = new ReadOnlySequence<byte>(encoded);
            Assert.True(FrameReader.TryRead(ref buffer, 2_000, reused, out frame));
        });
        return (allocated, frame);
    }

    [Fact]
    public void Every_frame_that_is_written_is_read() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                AnyPerformative.Amqp.ToArbitrary(),
                Gen.Choose(0, ushort.MaxValue).ToArbitrary(),
                (performative, channel) =>
                {
                    var payload = performative is Transfer ? new byte[] { 1, 2, 3 } : [];
                    var written = RecordedFrames.Encode(new Frame(FrameType.Amqp, (ushort)channel, performative, payload));
                    var read = FrameReader.Decode(written);
                    return read.Channel == channel && Same.Values(performative, read.Performative) && read.Payload.Span.SequenceEqual(payload);
                }
            )
        );
}
