using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Creates an event from the bytes of a delivery, which the event keeps.</summary>
internal static class EventDecoder
{
    /// <exception cref="MessagingException">
    /// The bytes are not a message, or the service's annotations are missing (kind Permanent). Such an event must end the reading. Otherwise it would be
    /// missing unnoticed.
    /// </exception>
    public static ReceivedEvent Decode(string partitionId, ReadOnlyMemory<byte> payload)
    {
        try
        {
            return Decode(partitionId, MessageParts.Of(payload));
        }
        catch (AmqpException malformed)
        {
            throw new MessagingException(FailureKind.Permanent, $"an event of partition {partitionId} is not an AMQP message", malformed);
        }
    }

    private static ReceivedEvent Decode(string partitionId, in MessageParts parts)
    {
        var annotations = parts.Annotations;
        if (annotations.FindInteger(AmqpNames.SequenceNumber) is not { } sequenceNumber)
        {
            throw new MessagingException(FailureKind.Permanent, $"an event of partition {partitionId} has no sequence number");
        }

        return new ReceivedEvent
        {
            PartitionId = partitionId,
            SequenceNumber = sequenceNumber,

            // Text in today's protocol. Old services sent a number.
            Offset = annotations.FindString(AmqpNames.Offset) ?? annotations.FindInteger(AmqpNames.Offset)?.ToString() ?? string.Empty,
            EnqueuedTime = annotations.FindTimestamp(AmqpNames.EnqueuedTime) is { } time ? time.ToDateTimeOffset() : default,
            PartitionKey = annotations.FindString(AmqpNames.PartitionKey),
            Body = parts.Body,
            BodyKind = parts.BodyKind,
            ContentType = parts.Properties.FindContentType(),
            EncodedProperties = parts.EncodedProperties,
            Details = EncodedDetails.Of(parts.Properties),
        };
    }
}
