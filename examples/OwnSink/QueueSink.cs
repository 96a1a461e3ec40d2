using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace OwnSink;

/// <summary>
/// Sends each event to the queue of the settings. A repeated write sends a message with the same identifier, so that the queue or its
/// reader can detect the duplicate.
/// </summary>
internal sealed class QueueSink(SinkContext context) : ISink<ReceivedEvent>, IAsyncDisposable
{
    private readonly IMessageSender sender = context.CreateMessageSender();

    public string Name => "queue";

    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        var message = new OutgoingMessage
        {
            MessageId = $"{context.EventHubName}-{receivedEvent.PartitionId}-{receivedEvent.SequenceNumber}",
            Body = receivedEvent.Body,
            ContentType = receivedEvent.ContentType,
            EncodedProperties = receivedEvent.EncodedProperties,
        };
        await sender.SendAsync(message, cancellationToken);
    }

    public ValueTask DisposeAsync() => sender.DisposeAsync();
}
