using System.Globalization;
using Azure.Core.Amqp;
using Azure.Messaging.EventHubs;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.Messages;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Conversion between the package's events and ours.</summary>
internal static class EventConversion
{
    /// <summary>The batch of the events that the package delivered. Null when it delivered none after its maximum wait.</summary>
    /// <exception cref="MessagingException">Kind Permanent when an event has a property that the conversion would lose.</exception>
    public static EventBatch? ToBatch(string partitionId, IEnumerable<EventData> delivered)
    {
        // The package delivers a list.
        var list = delivered as IReadOnlyList<EventData> ?? [.. delivered];
        if (list.Count == 0)
        {
            return null;
        }

        var events = new ReceivedEvent[list.Count];
        for (var i = 0; i < events.Length; i++)
        {
            events[i] = ToReceived(partitionId, list[i]);
        }

        return new EventBatch(partitionId, events);
    }

    public static EventData ToSdk(OutgoingEvent outgoing)
    {
        var data = new EventData(outgoing.Body);
        Describe(data, outgoing);
        return data;
    }

    /// <summary>Copies everything of our event except the body to the package's event.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the package would not send a property.</exception>
    public static void Describe(EventData data, OutgoingEvent outgoing)
    {
        if (outgoing.ContentType is { } type)
        {
            data.ContentType = type;
        }

        foreach ((var name, var value) in outgoing.Properties)
        {
            // The package would wrap a DateTimeOffset into a type of Microsoft. Other clients can read a timestamp.
            data.Properties[name] = value is DateTimeOffset time ? time.UtcDateTime : PlainProperties.GetPlainForm(name, value);
        }
    }

    private static ReceivedEvent ToReceived(string partitionId, EventData data)
    {
        var message = data.GetRawAmqpMessage();
        (var kind, var body) =
            message.Body.BodyType == AmqpMessageBodyType.Data ? (EventBodyKind.Data, data.EventBody.ToMemory()) : AnnotatedMessages.GetBody(message);
        return new ReceivedEvent
        {
            PartitionId = partitionId,
            SequenceNumber = data.SequenceNumber,
            Offset = data.OffsetString ?? string.Empty,
            EnqueuedTime = data.EnqueuedTime,
            PartitionKey = data.PartitionKey,
            Body = body,
            BodyKind = kind,
            ContentType = data.ContentType,
            EncodedProperties = AnnotatedMessages.GetProperties(
                message,
                (partitionId, data.SequenceNumber),
                static at => $"event {at.SequenceNumber} of partition {at.partitionId}"
            ),
            Details = PackageDetails.Of(message),
        };
    }
}
