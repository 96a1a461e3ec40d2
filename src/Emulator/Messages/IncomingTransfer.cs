using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>What one transfer brought: a message, or a batch of complete messages in the data sections of an envelope.</summary>
internal sealed record IncomingTransfer(IReadOnlyList<MessageParts> Messages, MessageParts Envelope)
{
    /// <summary>The key that routes it: the envelope's, else its only message's.</summary>
    public string? PartitionKey => Envelope.PartitionKey;

    /// <exception cref="AmqpException">Not decodable, or over a limit: the error to reject with.</exception>
    public static IncomingTransfer Read(ReadOnlyMemory<byte> payload, uint messageFormat, TransferLimits limits)
    {
        if (payload.Length > limits.MessageBytes)
        {
            throw Refusal(
                ErrorCondition.MessageSizeExceeded,
                $"The received message (size {payload.Length}) exceeds the limit ({limits.MessageBytes} bytes) currently allowed on the link.");
        }

        var envelope = MessageParts.Parse(payload);
        if (messageFormat != AmqpNames.BatchFormat)
        {
            return Check(new IncomingTransfer([envelope], envelope), limits);
        }

        var messages = new List<MessageParts>(envelope.Body.Count);
        foreach (var section in envelope.Body)
        {
            if (section.Code != SectionCode.Data)
            {
                throw Refusal(ErrorCondition.DecodeError, "A batch holds data sections only.");
            }

            messages.Add(MessageParts.Parse(MessageSections.BinaryOf(section)));
        }

        return Check(new IncomingTransfer(messages, envelope), limits);
    }

    private static IncomingTransfer Check(IncomingTransfer transfer, TransferLimits limits)
    {
        if (transfer.Messages.Count == 0 || transfer.Messages.Count > limits.BatchMessages)
        {
            throw Refusal(ErrorCondition.NotAllowed, $"A batch of {transfer.Messages.Count} messages; allowed 1 to {limits.BatchMessages}.");
        }

        foreach (var message in transfer.Messages)
        {
            if (message.EncodedApplicationProperties.Length > limits.PropertiesBytes)
            {
                throw Refusal(
                    ErrorCondition.NotAllowed,
                    $"Application properties of {message.EncodedApplicationProperties.Length} bytes; allowed {limits.PropertiesBytes}.");
            }

            if (message.PartitionKey is { Length: > TransferLimits.PartitionKeyCharacters } key)
            {
                throw Refusal(ErrorCondition.NotAllowed, $"A partition key of {key.Length} characters; allowed {TransferLimits.PartitionKeyCharacters}.");
            }
        }

        return transfer;
    }

    private static AmqpException Refusal(string condition, string description) =>
        new(AmqpErrorScope.Delivery, new AmqpError(condition, description));
}
