using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Tests.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

public sealed class RecordedMessageTests
{
    public static TheoryData<string> Recorded => [.. RecordedFrames.WithMessage];

    [Fact]
    public void The_message_without_header_decodes_to_the_recorded_values()
    {
        var message = Message(RecordedFrames.UamqpTransfer);
        Assert.Null(message.Header);
        Assert.Equal(0, message.ApplicationProperties!["n"]);
        Assert.Equal("u0"u8, message.Body.Data.Single().Span);
    }

    [Fact]
    public void The_batch_decodes_to_its_inner_message()
    {
        var batch = Message(RecordedFrames.JsBatchTransfer);
        Assert.Equal(new MessageHeader(), batch.Header);
        Assert.Equal(0, batch.MessageAnnotations!.Count);
        Assert.Equal(new MessageProperties(), batch.Properties);
        var data = batch.Body.Data.Single();
        Assert.Equal(30, data.Length);

        var inner = AmqpMessage.Decode(data);
        Assert.Equal(new MessageHeader(), inner.Header);
        Assert.Equal("\"one\""u8, inner.Body.Data.Single().Span);
    }

    [Fact]
    public void The_peek_lock_delivery_decodes_to_the_recorded_values()
    {
        var message = Message(RecordedFrames.ServiceBusDelivery);
        Assert.Equal(new MessageHeader { DeliveryCount = 0 }, message.Header);
        Assert.Equal(new AmqpTimestamp(1795244343867), message.MessageAnnotations!.Find("x-opt-enqueued-time"));
        Assert.Equal(1L, message.MessageAnnotations.Find("x-opt-sequence-number"));
        Assert.Equal(0, message.MessageAnnotations.Find("x-opt-message-state"));
        Assert.Equal(new AmqpTimestamp(1795244373962), message.MessageAnnotations.Find("x-opt-locked-until"));
        Assert.Equal("m0", message.Properties!.MessageId);
        Assert.Equal(0, message.ApplicationProperties!["i"]);
        Assert.Equal("{\"i\":0}"u8, message.Body.Data.Single().Span);
    }

    [Fact]
    public void The_management_answer_decodes_to_the_recorded_values()
    {
        var message = Message(RecordedFrames.ManagementAnswer);
        Assert.Equal("2d49c14f-3200-42cf-a353-0f6b8fb0792b", message.Properties!.CorrelationId);
        Assert.Equal(200, message.ApplicationProperties!["status-code"]);
        Assert.Equal(200, message.ApplicationProperties["statusCode"]);
        Assert.Equal("OK", message.ApplicationProperties["status-description"]);
        var value = Assert.IsType<AmqpMap>(message.Body.Value);
        Assert.Equal("com.microsoft:eventhub", value["type"]);
        Assert.Equal("hub1", value["name"]);
        Assert.Equal(new AmqpTimestamp(1795244346735), value["created_at"]);
        Assert.Equal(4, value["partition_count"]);
        Assert.Equal(["0", "1", "2", "3"], Assert.IsType<AmqpArray>(value["partition_ids"]).Items);
    }

    [Theory]
    [MemberData(nameof(Recorded))]
    public void A_recorded_value_that_is_encoded_again_decodes_equal(string recorded)
    {
        var message = Message(recorded);
        Assert.True(Same.Values(message, AmqpMessage.Decode(message.Encode())));
    }

    [Theory]
    [MemberData(nameof(Recorded))]
    public void Every_truncation_inside_a_section_is_a_decode_error(string recorded)
    {
        var payload = RecordedFrames.Decode(recorded).Payload;
        var length = 0;
        var ends = MessageSections.Split(payload).Select(section => length += section.Encoded.Length).ToHashSet();
        for (length = 1; length < payload.Length; length++)
        {
            if (ends.Contains(length))
            {
                continue;
            }

            var part = payload[..length];
            Assert.Equal(ErrorCondition.DecodeError, Assert.Throws<AmqpException>(() => AmqpMessage.Decode(part)).Error.Condition.Value);
            Assert.Equal(ErrorCondition.DecodeError, Assert.Throws<AmqpException>(() => MessageSections.Split(part)).Error.Condition.Value);
        }
    }

    private static AmqpMessage Message(string recorded) => AmqpMessage.Decode(RecordedFrames.Decode(recorded).Payload);
}
