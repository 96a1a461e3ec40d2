using System.Text;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Messages;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Messages;

public sealed class IncomingTransferTests
{
    private static readonly TransferLimits Limits = new()
    {
        MessageBytes = 10_000,
        BatchBytes = 10_000,
        BatchMessages = 3,
        PropertiesBytes = 1_000,
    };

    [Fact]
    public void A_plain_transfer_is_one_message()
    {
        var transfer = IncomingTransfer.Read(Encoded.Message("a", key: "k"), 0, Limits);
        Assert.Equal("k", transfer.PartitionKey);
        Assert.Equal("a", Encoded.GetText(AmqpMessage.Decode(Assert.Single(transfer.Messages).Encoded)));
    }

    [Fact]
    public void A_batch_is_its_data_sections_and_is_routed_by_its_envelope()
    {
        var batch = Encoded.Batch("k", Encoded.Message("a", key: "other"), Encoded.Message("b"));
        var transfer = IncomingTransfer.Read(batch, AmqpNames.BatchFormat, Limits);
        Assert.Equal("k", transfer.PartitionKey);
        Assert.Equal(["other", null], transfer.Messages.Select(static message => message.PartitionKey));
    }

    [Fact]
    public void The_recorded_batch_of_one_is_understood()
    {
        // Vector 10 of the recorded frames, after its transfer performative.
        var payload = Convert.FromHexString(
            "0053704500" + "5372d10000000400000000" + "00537345" + "005375a01e" + "00537045005372d1000000040000000000537345005375a005226f6e6522"
        );
        var transfer = IncomingTransfer.Read(payload, AmqpNames.BatchFormat, Limits);
        Assert.Equal("\"one\"", Encoded.GetText(AmqpMessage.Decode(Assert.Single(transfer.Messages).Encoded)));
    }

    // In the service's words: tests of its SDKs look for them.
    [Fact]
    public void Too_many_bytes_are_refused_with_the_condition_for_it_and_their_number()
    {
        var message = Encoded.Message(new string('x', 10_001));
        var error = Assert.Throws<AmqpException>(() => IncomingTransfer.Read(message, 0, Limits, deliveryId: 7)).Error;
        Assert.Equal(
            (
                ErrorCondition.MessageSizeExceeded,
                $"The received message (delivery-id:7, size:{message.Length} bytes) exceeds the limit (10000 bytes) currently allowed on the link."
            ),
            (error.Condition.Value, error.Description)
        );
    }

    [Fact]
    public void Too_many_messages_are_refused() =>
        Assert.Equal(ErrorCondition.NotAllowed, Refusal(Encoded.Batch(null, [.. Enumerable.Repeat(Encoded.Message("a"), 4)]), AmqpNames.BatchFormat));

    [Fact]
    public void An_empty_batch_is_refused() =>
        Assert.Equal(ErrorCondition.NotAllowed, Refusal(new AmqpMessage { Properties = new MessageProperties() }.Encode(), AmqpNames.BatchFormat));

    [Fact]
    public void A_batch_of_anything_but_data_is_refused() =>
        Assert.Equal(ErrorCondition.DecodeError, Refusal(new AmqpMessage { Body = MessageBody.OfValue("a") }.Encode(), AmqpNames.BatchFormat));

    [Fact]
    public void Large_properties_are_refused() =>
        Assert.Equal(ErrorCondition.NotAllowed, Refusal(Encoded.Message("a", properties: new AmqpMap { { "p", new string('x', 1_000) } }), 0));

    [Fact]
    public void A_long_partition_key_is_refused() => Assert.Equal(ErrorCondition.NotAllowed, Refusal(Encoded.Message("a", key: new string('k', 129)), 0));

    [Fact]
    public void A_long_partition_key_of_the_batch_alone_is_refused() =>
        Assert.Equal(ErrorCondition.NotAllowed, Refusal(Encoded.Batch(new string('k', 129), Encoded.Message("a")), AmqpNames.BatchFormat));

    [Theory]
    [InlineData(32 * 1024, true)]
    [InlineData((32 * 1024) + 1, false)]
    public void A_single_property_has_its_own_size_limit(int length, bool taken)
    {
        var limits = new TransferLimits
        {
            MessageBytes = 1_000_000,
            BatchBytes = 1_000_000,
            PropertyBytes = 32 * 1024,
        };
        foreach (var value in (object[])[new string('x', length), (ReadOnlyMemory<byte>)new byte[length]])
        {
            var message = Encoded.Message("a", properties: new AmqpMap { { "p", value }, { "q", 1 } });
            Assert.Equal(taken, Record.Exception(() => IncomingTransfer.Read(message, 0, limits)) is null);
        }
    }

    // What an official client puts into one batch of 262,144 bytes, and into one of a MiB: it counts bytes only.
    [Theory]
    [InlineData(26_213, 262_144)]
    [InlineData(104_856, 1_048_576)]
    public void A_batch_is_limited_by_its_bytes_and_not_by_its_messages(int count, int bytes)
    {
        var batch = Encoded.Batch(null, [.. Enumerable.Repeat(Encoded.Message(string.Empty), count)]);
        Assert.InRange(batch.Length, bytes - 100, bytes);
        var limits = new EmulatorLimits { QueueMessageBytes = 1_048_576 };
        Assert.Equal(count, IncomingTransfer.Read(batch, AmqpNames.BatchFormat, TransferLimits.OfQueue(limits)).Messages.Count);
        Assert.Equal(count, IncomingTransfer.Read(batch, AmqpNames.BatchFormat, TransferLimits.OfHub(limits)).Messages.Count);
    }

    [Fact]
    public void A_batch_has_a_limit_below_that_of_a_large_message()
    {
        var limits = TransferLimits.OfQueue(new EmulatorLimits { QueueMessageBytes = 100 * 1_048_576 });
        Assert.Equal(1_048_576, limits.BatchBytes);
        var large = new string('x', 1_048_577);
        IncomingTransfer.Read(Encoded.Message(large), 0, limits);
        var batch = Encoded.Batch(null, Encoded.Message(large));
        var error = Assert.Throws<AmqpException>(() => IncomingTransfer.Read(batch, AmqpNames.BatchFormat, limits, deliveryId: 7)).Error;
        Assert.Equal(
            (
                ErrorCondition.MessageSizeExceeded,
                $"The received message (delivery-id:7, size:{batch.Length} bytes) exceeds the limit (1048576 bytes) currently allowed on the link."
            ),
            (error.Condition.Value, error.Description)
        );
        Assert.Equal(262_144, TransferLimits.OfQueue(new EmulatorLimits()).BatchBytes);
    }

    [Fact]
    public void A_hub_has_no_limit_of_properties_but_that_of_the_event()
    {
        var properties = new AmqpMap { { "a", new string('x', 40_000) }, { "b", new string('x', 30_000) } };
        var message = Encoded.Message("a", properties: properties);
        IncomingTransfer.Read(message, 0, TransferLimits.OfHub(new EmulatorLimits()));
        Assert.Throws<AmqpException>(() => IncomingTransfer.Read(message, 0, TransferLimits.OfQueue(new EmulatorLimits())));
    }

    [Fact]
    public void A_long_message_id_is_refused_where_that_counts()
    {
        var message = Encoded.Message("a", messageId: new string('i', 129));
        IncomingTransfer.Read(message, 0, Limits);
        var queue = TransferLimits.OfQueue(new EmulatorLimits());
        Assert.Throws<AmqpException>(() => IncomingTransfer.Read(message, 0, queue));
        Assert.Throws<AmqpException>(() => IncomingTransfer.Read(Encoded.Message("a", messageId: (ReadOnlyMemory<byte>)new byte[129]), 0, queue));
        IncomingTransfer.Read(Encoded.Message("a", messageId: new string('i', 128)), 0, queue);
    }

    [Fact]
    public void Bytes_that_are_not_a_message_are_refused() => Assert.Equal(ErrorCondition.DecodeError, Refusal(new byte[] { 1, 2, 3 }, 0));

    [Fact]
    public void A_footer_before_the_body_is_moved_after_it()
    {
        var footer = new AmqpMessage { Footer = new AmqpMap { { new AmqpSymbol("f"), 1 } } }.Encode();
        var body = Encoded.Message("a");
        var parts = MessageParts.Parse(Sections.Join(footer, body));
        Assert.Equal(footer.ToArray(), parts.EncodedFooter.ToArray());
        Assert.Equal("a", Encoding.UTF8.GetString(MessageSections.BinaryOf(Assert.Single(parts.Body)).Span));
    }

    private static string Refusal(ReadOnlyMemory<byte> payload, uint format) =>
        Assert.Throws<AmqpException>(() => IncomingTransfer.Read(payload, format, Limits)).Error.Condition.Value;
}
