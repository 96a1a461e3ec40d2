using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

/// <summary>Frames in plain text: every field by its name, no body and no secret.</summary>
public sealed class FrameTextTests
{
    [Theory]
    [InlineData(RecordedFrames.Heartbeat, "[0] empty")]
    [InlineData(RecordedFrames.Open, "[0] open(container-id=\"fake-493f99f3\", max-frame-size=65536, channel-max=4999, idle-time-out=240000)")]
    [InlineData(RecordedFrames.BeginAnswer, "[0] begin(remote-channel=0, next-outgoing-id=0, incoming-window=2048, outgoing-window=4294967295)")]
    [InlineData(
        RecordedFrames.JsSenderAttach,
        "[1] attach(name=\"hub1\", handle=0, role=sender, source=source(address=\"e5fb6462-a80f-4101-b9f9-625802ebd3ee\"), target=target(address=\"hub1\"), initial-delivery-count=0, desired-capabilities=com.microsoft:georeplication)"
    )]
    [InlineData(RecordedFrames.DispositionAccepted, "[0] disposition(role=receiver, first=0, last=0, settled=true, state=accepted)")]
    [InlineData(RecordedFrames.SaslOk, "sasl-outcome(code=0)")]
    [InlineData(RecordedFrames.RabbitMechanisms, "sasl-mechanisms(sasl-server-mechanisms=[ANONYMOUS, PLAIN, AMQPLAIN])")]
    [InlineData(RecordedFrames.JsSaslInit, "sasl-init(mechanism=ANONYMOUS, initial-response=(26 bytes), hostname=\"127.0.0.1\")")]
    public void A_recorded_frame_reads_as_its_performative(string frame, string text) => Assert.Equal(text, Of(frame));

    [Fact]
    public void A_payload_is_counted_and_never_shown() =>
        Assert.Equal("[0] transfer(handle=0, delivery-id=0, delivery-tag=0x01000000, message-format=0), 18 bytes of payload", Of(RecordedFrames.UamqpTransfer));

    [Theory]
    [InlineData("SharedAccessSignature sr=hub&sig=abc&se=1&skn=k")]
    [InlineData("Endpoint=sb://x/;SharedAccessKey=abc")]
    [InlineData("https://x/?sig=abc")]
    public void Words_that_hold_a_signature_or_a_key_are_not_shown_wherever_they_are(string secret)
    {
        var attach = new Attach
        {
            Name = secret,
            Role = LinkRole.Sender,
            Properties = new AmqpMap { { new AmqpSymbol("token"), secret }, { new AmqpSymbol(secret), 1 } },
        };
        var text = FrameText.Of(new Frame(FrameType.Amqp, 0, attach, default));
        Assert.DoesNotContain("abc", text, StringComparison.Ordinal);
        Assert.Contains("name=\"***\"", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_descriptor_that_is_a_token_is_not_shown()
    {
        var attach = new Attach
        {
            Name = "n",
            Properties = new AmqpMap { { new AmqpSymbol("expiration"), new AmqpDescribed("a secret text", 5) } },
        };
        Assert.Contains("properties={expiration: 5}", FrameText.Of(new Frame(FrameType.Amqp, 0, attach, default)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "AMQP 1.0.0")]
    [InlineData(2, "TLS 1.0.0")]
    [InlineData(3, "SASL 1.0.0")]
    [InlineData(9, "protocol 9 1.0.0")]
    public void A_header_reads_as_protocol_and_version(byte protocol, string text) => Assert.Equal(text, FrameText.Of(new ProtocolHeader(protocol, 1, 0, 0)));

    [Fact]
    public void Any_performative_becomes_one_line_of_bounded_length_that_opens_with_its_name() =>
        Prop.ForAll(
                Gen.OneOf(AnyPerformative.Amqp, AnyPerformative.Sasl).ToArbitrary(),
                performative =>
                {
                    var type = performative.GetType().Name.StartsWith("Sasl", StringComparison.Ordinal) ? FrameType.Sasl : FrameType.Amqp;
                    var text = FrameText.Of(new Frame(type, 7, performative, default));
                    var name = type == FrameType.Sasl ? text : text["[7] ".Length..];
                    Assert.DoesNotContain(text, char.IsControl);
                    Assert.True(text.Length <= 4_100);
                    Assert.Equal(performative.GetType().Name, name.Split('(')[0].Replace("-", string.Empty, StringComparison.Ordinal), ignoreCase: true);
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void A_long_value_of_a_peer_is_cut_in_the_text_of_a_frame()
    {
        var flow = new Flow { Properties = new AmqpMap { { new AmqpSymbol("k"), new string('x', 50_000) } } };
        Assert.True(FrameText.Of(new Frame(FrameType.Amqp, 0, flow, default)).Length < 500);
        var many = new AmqpMap();
        for (var i = 0; i < 5_000; i++)
        {
            many.Add(new AmqpSymbol($"key{i}"), i);
        }

        Assert.True(FrameText.Of(new Frame(FrameType.Amqp, 0, flow with { Properties = many }, default)).Length < 4_100);
    }

    private static string Of(string hex) => FrameText.Of(FrameReader.Decode(Convert.FromHexString(hex)));
}
