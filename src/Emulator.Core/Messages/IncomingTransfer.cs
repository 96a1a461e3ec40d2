using System.Text;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Limits;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>The content of one transfer: a message, or a batch of complete messages in the data sections of an envelope.</summary>
internal sealed record IncomingTransfer(IReadOnlyList<MessageParts> Messages, MessageParts Envelope)
{
    /// <summary>The key that routes it: that of the envelope, else that of its only message.</summary>
    public string? PartitionKey => Envelope.PartitionKey;

    /// <param name="payload">The received bytes.</param>
    /// <param name="messageFormat">Whether it is a message or a batch.</param>
    /// <param name="limits">The limits of the transfer.</param>
    /// <param name="deliveryId">Its number in its session, for the text of a refusal. Some clients look for it there.</param>
    /// <exception cref="AmqpException">The transfer cannot be decoded or exceeds a limit. Has the error to reject with.</exception>
    public static IncomingTransfer Read(ReadOnlyMemory<byte> payload, uint messageFormat, TransferLimits limits, uint deliveryId = 0)
    {
        var most = messageFormat == AmqpNames.BatchFormat ? limits.BatchBytes : limits.MessageBytes;
        if (payload.Length > most)
        {
            throw Refusal(
                ErrorCondition.MessageSizeExceeded,
                $"The received message (delivery-id:{deliveryId}, size:{payload.Length} bytes) exceeds the limit ({most} bytes) currently allowed on the link."
            );
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
            throw Refusal(ErrorCondition.NotAllowed, $"A batch of {transfer.Messages.Count} messages, allowed 1 to {limits.BatchMessages}.");
        }

        foreach (var message in transfer.Messages)
        {
            Check(message, limits);
        }

        // The key of a batch routes it, regardless of the keys of its messages.
        CheckKey(transfer.PartitionKey);
        return transfer;
    }

    private static void Check(MessageParts message, TransferLimits limits)
    {
        var properties = message.EncodedApplicationProperties.Length;
        if (properties > limits.PropertiesBytes)
        {
            throw Refusal(ErrorCondition.NotAllowed, $"Application properties of {properties} bytes, allowed {limits.PropertiesBytes}.");
        }

        if (properties > limits.PropertyBytes)
        {
            foreach (var (name, value) in message.ApplicationProperties!)
            {
                if (GetLength(value) is var length && length > limits.PropertyBytes)
                {
                    throw Refusal(ErrorCondition.NotAllowed, $"The application property '{name}' has {length} bytes, allowed {limits.PropertyBytes}.");
                }
            }
        }

        if (GetCharacters(message.Properties?.MessageId) is var characters && characters > limits.MessageIdCharacters)
        {
            throw Refusal(ErrorCondition.NotAllowed, $"A message id of {characters} characters, allowed {limits.MessageIdCharacters}.");
        }

        CheckKey(message.PartitionKey);
    }

    private static void CheckKey(string? partitionKey)
    {
        if (partitionKey is { Length: > TransferLimits.PartitionKeyCharacters and var length })
        {
            throw Refusal(ErrorCondition.NotAllowed, $"A partition key of {length} characters, allowed {TransferLimits.PartitionKeyCharacters}.");
        }
    }

    // A binary id has the same limit as text. Numbers and UUIDs are always short.
    private static int GetCharacters(object? id) =>
        id switch
        {
            string text => text.Length,
            ReadOnlyMemory<byte> bytes => bytes.Length,
            _ => 0,
        };

    // Values of other types are always short.
    private static int GetLength(object? value) =>
        value switch
        {
            string text => Encoding.UTF8.GetByteCount(text),
            ReadOnlyMemory<byte> bytes => bytes.Length,
            _ => 0,
        };

    private static AmqpException Refusal(string condition, string description) => new(AmqpErrorScope.Delivery, new AmqpError(condition, description));
}
