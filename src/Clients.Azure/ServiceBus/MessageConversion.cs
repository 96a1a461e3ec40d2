using Azure.Core.Amqp;
using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients.Azure.Messages;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.ServiceBus;

/// <summary>Converts messages between the clients and the package.</summary>
internal static class MessageConversion
{
    private const int LongestMessageId = 128;

    /// <exception cref="MessagingException">Kind Permanent when the package cannot send the message.</exception>
    public static ServiceBusMessage Of(OutgoingMessage message)
    {
        if (message.MessageId.Length is 0 or > LongestMessageId)
        {
            throw new MessagingException(FailureKind.Permanent, $"message-id of {message.MessageId.Length} characters, allowed 1 to {LongestMessageId}");
        }

        var converted =
            message.BodyKind == EventBodyKind.Data
                ? new ServiceBusMessage(message.Body)
                : new ServiceBusMessage(new AmqpAnnotatedMessage(AnnotatedMessages.GetBody(message.BodyKind, message.Body)));
        converted.MessageId = message.MessageId;
        converted.ContentType = message.ContentType;
        if (!message.EncodedProperties.IsEmpty)
        {
            RememberedProperties.CopyTo(message.EncodedProperties, converted.ApplicationProperties!);
        }

        return converted;
    }

    /// <summary>Changes to application properties as the package accepts them. Null for none.</summary>
    public static IDictionary<string, object>? Changes(IReadOnlyDictionary<string, object?>? properties) =>
        properties is { Count: > 0 } ? new Dictionary<string, object>(properties!, StringComparer.Ordinal) : null;

    /// <param name="message">The package's message.</param>
    /// <exception cref="MessagingException">Kind Permanent when the message has a property that the conversion would lose.</exception>
    /// <param name="peeked">Whether it was peeked: such a message has no lock, and its delivery count does not include this delivery.</param>
    public static ReceivedMessage Of(ServiceBusReceivedMessage message, bool peeked)
    {
        var raw = message.GetRawAmqpMessage();
        (var kind, var body) = AnnotatedMessages.GetBody(raw);
        return new ReceivedMessage
        {
            MessageId = message.MessageId ?? string.Empty,
            Body = body,
            BodyKind = kind,
            SequenceNumber = message.SequenceNumber,
            DeliveryCount = peeked ? message.DeliveryCount : message.DeliveryCount - 1,
            ContentType = message.ContentType,
            EncodedProperties = AnnotatedMessages.GetProperties(raw, message.SequenceNumber, static sequence => $"message {sequence}"),
            LockedUntil = message.LockedUntil,
            LockToken = Guid.TryParse(message.LockToken, out var token) ? token : Guid.Empty,
            Handle = peeked ? null : message,
        };
    }
}
