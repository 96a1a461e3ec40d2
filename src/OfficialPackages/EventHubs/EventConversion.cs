using System.Globalization;
using Azure.Core.Amqp;
using Azure.Messaging.EventHubs;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.OfficialPackages.EventHubs;

/// <summary>Between the package's events and ours.</summary>
internal static class EventConversion
{
    /// <summary>The batch of what the package delivered; null for none, by which it says that its wait is over.</summary>
    public static EventBatch? ToBatch(string partitionId, IEnumerable<EventData> delivered)
    {
        ReceivedEvent[] events = [.. delivered.Select(one => ToReceived(partitionId, one))];
        return events.Length == 0 ? null : new EventBatch(partitionId, events);
    }

    public static EventData ToSdk(OutgoingEvent outgoing)
    {
        EventData data = new(outgoing.Body) { ContentType = outgoing.ContentType };
        foreach ((string name, object? value) in outgoing.Properties)
        {
            // The package would wrap a DateTimeOffset into a type of Microsoft's own; a timestamp is what other clients read.
            data.Properties[name] = value is DateTimeOffset time ? time.UtcDateTime : value;
        }

        return data;
    }

    private static ReceivedEvent ToReceived(string partitionId, EventData data)
    {
        AmqpAnnotatedMessage message = data.GetRawAmqpMessage();
        return message.Body.TryGetData(out IEnumerable<ReadOnlyMemory<byte>>? sections) && sections is not null
            ? new ReceivedEvent
            {
                PartitionId = partitionId,
                SequenceNumber = data.SequenceNumber,
                Offset = OffsetOf(message),
                EnqueuedTime = data.EnqueuedTime,
                PartitionKey = data.PartitionKey,
                Body = Joined(sections),
                BodyKind = EventBodyKind.Data,
                ContentType = data.ContentType,
                EncodedProperties = PropertiesOf(message),
            }

            // Values and sequences are rare, and are their AMQP encoding to us: the message is encoded once more and read as ours.
            : EventDecoder.Decode(partitionId, message.ToBytes().ToMemory());
    }

    // The member that holds it has changed its type from one version of the package to the next; the annotation has not.
    private static string OffsetOf(AmqpAnnotatedMessage message) =>
        message.MessageAnnotations.TryGetValue(AmqpNames.Offset, out object? offset)
            ? Convert.ToString(offset, CultureInfo.InvariantCulture) ?? string.Empty
            : string.Empty;

    private static ReadOnlyMemory<byte> Joined(IEnumerable<ReadOnlyMemory<byte>> sections)
    {
        ReadOnlyMemory<byte>[] all = [.. sections];
        return all.Length switch
        {
            0 => default,
            1 => all[0],
            _ => all.SelectMany(static section => section.ToArray()).ToArray(),
        };
    }

    // The package's own encoder knows what its decoder made of types that .NET has no word for.
    private static ReadOnlyMemory<byte> PropertiesOf(AmqpAnnotatedMessage message)
    {
        if (!message.HasSection(AmqpMessageSection.ApplicationProperties) || message.ApplicationProperties.Count == 0)
        {
            return default;
        }

        AmqpAnnotatedMessage alone = new(AmqpMessageBody.FromData([ReadOnlyMemory<byte>.Empty]));
        foreach ((string name, object? value) in message.ApplicationProperties)
        {
            alone.ApplicationProperties[name] = value;
        }

        return MessageParts.Of(alone.ToBytes().ToMemory()).EncodedProperties;
    }
}
