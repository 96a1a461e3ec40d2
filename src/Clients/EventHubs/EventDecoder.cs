using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Makes an event of a delivery's bytes, which the event keeps.</summary>
internal static class EventDecoder
{
    /// <exception cref="MessagingException">
    /// The bytes are no message, or the service's annotations are missing (kind Permanent): such an event must end the reading,
    /// or it would be missing without anybody knowing.
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

            // Text by today's protocol. Services of old sent a number.
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
