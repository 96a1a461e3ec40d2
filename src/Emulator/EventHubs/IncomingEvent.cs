using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>An event on its way into a partition.</summary>
internal sealed class IncomingEvent(MessageParts message, string? partitionKey)
{
    private static readonly AmqpSymbol SequenceNumber = AmqpNames.SequenceNumber;
    private static readonly AmqpSymbol Offset = AmqpNames.Offset;
    private static readonly AmqpSymbol EnqueuedTime = AmqpNames.EnqueuedTime;
    private static readonly AmqpSymbol PartitionKey = AmqpNames.PartitionKey;

    public MessageParts Message { get; } = message;

    /// <summary>Bytes as they came; the service's annotations are counted as overhead.</summary>
    public int Length => Message.Encoded.Length;

    /// <summary>Encodes it for all its readers, in the one allocation that the log keeps.</summary>
    public StoredEvent Store(long sequence, long enqueuedMilliseconds)
    {
        var service = new AmqpMap
        {
            { SequenceNumber, sequence },
            { Offset, Positions.OffsetOf(sequence) },
            { EnqueuedTime, new AmqpTimestamp(enqueuedMilliseconds) },
        };
        if (partitionKey is not null)
        {
            service.Add(PartitionKey, partitionKey);
        }

        var encoded = Sections.Join(
            Message.EncodedHeader,
            Message.EncodedDeliveryAnnotations,
            Sections.OfMessageAnnotations(Sections.Merge(Message.Annotations, service)),
            Message.EncodedProperties,
            Message.EncodedApplicationProperties,
            Sections.JoinBody(Message.Body),
            Message.EncodedFooter);
        return new StoredEvent(sequence, enqueuedMilliseconds, encoded, Message.EncodedHeader.Length, Message.EncodedDeliveryAnnotations.Length);
    }
}
