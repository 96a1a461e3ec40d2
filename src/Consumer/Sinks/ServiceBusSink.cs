using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Sinks;

/// <summary>Sends each event as one message, named by hub, partition and sequence number so that a repetition is recognised.</summary>
internal sealed class ServiceBusSink(IMessageSender sender, string hub) : ISink
{
    public string Name => "servicebus";

    public async ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        var message = new OutgoingMessage
        {
            MessageId = SinkNames.MessageId(hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber),
            Body = receivedEvent.Body,
            BodyKind = receivedEvent.BodyKind,
            ContentType = receivedEvent.ContentType,
            EncodedProperties = receivedEvent.EncodedProperties,
        };
        await sender.SendAsync(message, cancellationToken);
        return default;
    }
}
