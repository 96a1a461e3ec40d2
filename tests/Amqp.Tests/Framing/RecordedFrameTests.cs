using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

public sealed class RecordedFrameTests
{
    public static TheoryData<string> All => [.. RecordedFrames.All];

    [Theory]
    [MemberData(nameof(All))]
    public void A_recorded_value_that_is_encoded_again_decodes_equal(string recorded)
    {
        var frame = RecordedFrames.Decode(recorded);
        var encoded = RecordedFrames.Encode(frame);
        var again = FrameReader.Decode(encoded);
        Assert.Equal(frame.Type, again.Type);
        Assert.Equal(frame.Channel, again.Channel);
        Assert.True(Same.Values(frame.Performative, again.Performative));
        Assert.True(frame.Payload.Span.SequenceEqual(again.Payload.Span));
    }

    [Fact]
    public void Sasl_frames_decode_to_the_recorded_values()
    {
        var mechanisms = Performative<SaslMechanisms>(RecordedFrames.RabbitMechanisms, 0);
        Assert.Equal<AmqpSymbol>(["ANONYMOUS", "PLAIN", "AMQPLAIN"], mechanisms.Mechanisms);

        var init = Performative<SaslInit>(RecordedFrames.JsSaslInit, 0);
        Assert.Equal("ANONYMOUS", init.Mechanism.Value);
        Assert.Equal("\0RootManageSharedAccessKey"u8, init.InitialResponse!.Value.Span);
        Assert.Equal("127.0.0.1", init.HostName);

        var outcome = Performative<SaslOutcome>(RecordedFrames.SaslOk, 0);
        Assert.Equal(SaslCode.Ok, outcome.Code);
        Assert.Null(outcome.AdditionalData);
    }

    [Fact]
    public void Open_and_begin_decode_to_the_recorded_values()
    {
        Assert.Equal(
            new Open
            {
                ContainerId = "fake-493f99f3",
                MaxFrameSize = 65536,
                ChannelMax = 4999,
                IdleTimeout = 240_000,
            },
            Performative<Open>(RecordedFrames.Open, 0)
        );
        Assert.Equal(
            new Begin
            {
                NextOutgoingId = 0,
                IncomingWindow = 2048,
                OutgoingWindow = uint.MaxValue,
            },
            Performative<Begin>(RecordedFrames.BeginFromInitiator, 0)
        );
        Assert.Equal(
            new Begin
            {
                RemoteChannel = 0,
                NextOutgoingId = 0,
                IncomingWindow = 2048,
                OutgoingWindow = uint.MaxValue,
            },
            Performative<Begin>(RecordedFrames.BeginAnswer, 0)
        );
    }

    [Fact]
    public void The_sender_attach_decodes_to_the_recorded_values()
    {
        var attach = Performative<Attach>(RecordedFrames.JsSenderAttach, 1);
        Assert.Equal("hub1", attach.Name);
        Assert.Equal(0u, attach.Handle);
        Assert.Equal(LinkRole.Sender, attach.Role);
        Assert.Null(attach.SndSettleMode);
        Assert.Null(attach.RcvSettleMode);
        Assert.Equal("e5fb6462-a80f-4101-b9f9-625802ebd3ee", attach.Source!.Address);
        Assert.Equal("hub1", attach.Target!.Address);
        Assert.Equal(0u, attach.InitialDeliveryCount);
        Assert.Null(attach.MaxMessageSize);
        Assert.Null(attach.OfferedCapabilities);
        Assert.Equal<AmqpSymbol>(["com.microsoft:georeplication"], attach.DesiredCapabilities!);
        Assert.Null(attach.Properties);
    }

    [Fact]
    public void The_receiver_attach_decodes_to_the_recorded_values()
    {
        var attach = Performative<Attach>(RecordedFrames.UamqpReceiverAttach, 0);
        Assert.Equal("receiver-link-a46333a8-fc71-4573-808b-b1da0686baa4", attach.Name);
        Assert.Equal(LinkRole.Receiver, attach.Role);
        Assert.Equal(SenderSettleMode.Unsettled, attach.SndSettleMode);
        Assert.Equal(ReceiverSettleMode.Second, attach.RcvSettleMode);
        Assert.Equal("amqps://localhost/hub1/ConsumerGroups/$Default/Partitions/0", attach.Source!.Address);
        Assert.Equal(
            new AmqpDescribed(new AmqpSymbol("apache.org:selector-filter:string"), "amqp.annotation.x-opt-offset > '-1'"),
            attach.Source.Filter!.Find("apache.org:selector-filter:string")
        );
        Assert.Equal("c550bf9f-3ea9-48c4-9fbc-335c25398315", attach.Target!.Address);
        Assert.Null(attach.InitialDeliveryCount);
        Assert.Equal(1_048_576ul, attach.MaxMessageSize);
    }

    [Fact]
    public void Flows_decode_to_the_recorded_values()
    {
        Assert.Equal(
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 2048,
                OutgoingWindow = uint.MaxValue,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 30,
            },
            Performative<Flow>(RecordedFrames.JsFlow, 2)
        );
        var asked = Performative<Flow>(RecordedFrames.DrainAsked, 2);
        Assert.Equal((9u, 2u, null, true), (asked.DeliveryCount, asked.LinkCredit, asked.Available, asked.Drain));
        var answered = Performative<Flow>(RecordedFrames.DrainAnswered, 2);
        Assert.Equal((11u, 0u, null, true), (answered.DeliveryCount, answered.LinkCredit, answered.Available, answered.Drain));
    }

    [Fact]
    public void Dispositions_decode_to_the_recorded_values()
    {
        Assert.Equal(
            new Disposition
            {
                Role = LinkRole.Receiver,
                First = 0,
                Last = 0,
                Settled = true,
                State = Accepted.Instance,
            },
            Performative<Disposition>(RecordedFrames.DispositionAccepted, 0)
        );
        Assert.Equal(
            new Disposition
            {
                Role = LinkRole.Receiver,
                First = 1,
                Last = 1,
                State = new Modified(),
            },
            Performative<Disposition>(RecordedFrames.DispositionModified, 2)
        );
        var rejected = Performative<Disposition>(RecordedFrames.DispositionRejected, 2);
        Assert.Equal((2u, 2u, false), (rejected.First, rejected.Last, rejected.Settled));
        var error = Assert.IsType<Rejected>(rejected.State).Error!;
        Assert.Equal("com.microsoft:dead-letter", error.Condition.Value);
        Assert.Null(error.Description);
        Assert.Equal(["extra=e", "DeadLetterReason=why", "DeadLetterErrorDescription=because"], error.Info!.Select(entry => $"{entry.Key}={entry.Value}"));
    }

    [Fact]
    public void Transfers_decode_to_the_recorded_values()
    {
        var uamqp = Performative<Transfer>(RecordedFrames.UamqpTransfer, 0);
        Assert.Equal((0u, 0u, 0u, false, false), (uamqp.Handle, uamqp.DeliveryId, uamqp.MessageFormat, uamqp.Settled, uamqp.More));
        Assert.Equal("01000000", Bytes.Hex(uamqp.DeliveryTag!.Value.Span));

        var batch = Performative<Transfer>(RecordedFrames.JsBatchTransfer, 1);
        Assert.Equal(0x80013700u, batch.MessageFormat);
        Assert.Equal("0"u8, batch.DeliveryTag!.Value.Span);

        var delivery = Performative<Transfer>(RecordedFrames.ServiceBusDelivery, 2);
        Assert.Equal("b26aeaea091ab4f02aa013033c11a284", Bytes.Hex(delivery.DeliveryTag!.Value.Span));
    }

    [Fact]
    public void Endings_and_the_heartbeat_decode_to_the_recorded_values()
    {
        Assert.Equal(new Detach { Handle = 0, Closed = true }, Performative<Detach>(RecordedFrames.Detach, 0));
        Assert.Equal(new End(), Performative<End>(RecordedFrames.End, 2));
        Assert.Equal(new Close(), Performative<Close>(RecordedFrames.Close, 0));
        Assert.Equal(default, RecordedFrames.Decode(RecordedFrames.Heartbeat));
    }

    // A shortened frame with the size of the short form: the missing bytes are missing inside the performative.
    [Theory]
    [MemberData(nameof(All))]
    public void Every_truncation_is_a_decode_error(string recorded)
    {
        var whole = Bytes.Of(recorded);
        var payload = RecordedFrames.Decode(recorded).Payload.Length;
        for (var length = 9; length < whole.Length - payload; length++)
        {
            var frame = whole[..length];
            frame.AsSpan(0, 4).Clear();
            frame[2] = (byte)(length >> 8);
            frame[3] = (byte)length;
            var exception = Assert.Throws<AmqpException>(() => FrameReader.Decode(frame));
            Assert.Equal((AmqpErrorScope.Decode, ErrorCondition.DecodeError), (exception.Scope, exception.Error.Condition.Value));
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Every_truncation_without_a_new_size_is_a_framing_error(string recorded)
    {
        var whole = Bytes.Of(recorded);
        for (var length = 0; length < whole.Length; length++)
        {
            var exception = Assert.Throws<AmqpException>(() => FrameReader.Decode(whole.AsMemory(0, length)));
            Assert.Equal((AmqpErrorScope.Decode, ErrorCondition.FramingError), (exception.Scope, exception.Error.Condition.Value));
        }
    }

    private static T Performative<T>(string recorded, ushort channel)
        where T : Performative
    {
        var frame = RecordedFrames.Decode(recorded);
        Assert.Equal(channel, frame.Channel);
        return Assert.IsType<T>(frame.Performative);
    }
}
