using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Makes a message of the bytes in which the service gave it. Nothing about its lock is in them.</summary>
internal static class MessageDecoder
{
    public static ReceivedMessage Decode(ReadOnlyMemory<byte> payload)
    {
        var parts = MessageParts.Of(payload);
        return new ReceivedMessage
        {
            MessageId = IdentifierText.Of(parts.Properties.FindMessageId()) ?? string.Empty,
            Body = parts.Body,
            BodyKind = parts.BodyKind,
            SequenceNumber = parts.Annotations.FindInteger(AmqpNames.SequenceNumber) ?? 0,
            DeliveryCount = (int)Math.Min(parts.DeliveryCount, int.MaxValue),
            ContentType = parts.Properties.FindContentType(),
            EncodedProperties = parts.EncodedProperties,
            LockedUntil = parts.Annotations.FindTimestamp(AmqpNames.LockedUntil) is { } until ? until.ToDateTimeOffset() : default,
            LockToken = Guid.Empty,
        };
    }
}
