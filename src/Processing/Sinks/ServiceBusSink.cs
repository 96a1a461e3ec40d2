using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing;

/// <summary>Sends each event as one message, named by hub, partition and sequence number so that a repetition is recognised.</summary>
/// <param name="sender">Sends the messages; disposed of with the sink.</param>
/// <param name="hub">The event hub, for the names.</param>
public sealed class ServiceBusSink(IMessageSender sender, string hub) : ISink, IAsyncDisposable
{
    /// <summary>The sink's name.</summary>
    public const string SinkName = "servicebus";

    /// <inheritdoc/>
    public string Name => SinkName;

    /// <inheritdoc/>
    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
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
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => sender.DisposeAsync();
}
