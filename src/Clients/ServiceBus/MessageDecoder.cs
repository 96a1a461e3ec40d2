using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Creates a message from the bytes that the service sent. They contain nothing about its lock.</summary>
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
