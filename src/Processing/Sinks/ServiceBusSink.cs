using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing;

/// <summary>Sends each event as one message, named by hub, partition and sequence number so that a repetition is recognised.</summary>
/// <param name="sender">Sends the messages. Disposed of with the sink.</param>
/// <param name="hub">The event hub, for the names.</param>
public sealed class ServiceBusSink(IMessageSender sender, string hub) : IBatchSink<ReceivedEvent>, IAsyncDisposable
{
    /// <summary>The sink's name.</summary>
    public const string SinkName = "servicebus";

    /// <inheritdoc/>
    public string Name => SinkName;

    /// <remarks>True: the client ends each send that gets no answer.</remarks>
    /// <inheritdoc/>
    public bool LimitsItself => true;

    /// <inheritdoc/>
    public int LargestBatch => 100;

    /// <inheritdoc/>
    public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        sender.SendAsync(GetMessage(receivedEvent), cancellationToken);

    /// <remarks>
    /// The service stores all messages of a batch or none. A batch that it refuses for good is therefore sent in halves, until the refused message is a batch
    /// alone. Nothing is stored twice.
    /// </remarks>
    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken)
    {
        var outcomes = new Exception?[events.Count];
        await SendAsync(events.Select(GetMessage).ToArray(), outcomes, isPart: false, cancellationToken);
        return outcomes;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => sender.DisposeAsync();

    private async Task SendAsync(ArraySegment<OutgoingMessage> messages, ArraySegment<Exception?> outcomes, bool isPart, CancellationToken cancellationToken)
    {
        try
        {
            await (messages.Count == 1 ? sender.SendAsync(messages[0], cancellationToken) : sender.SendBatchAsync(messages, cancellationToken));
        }
        catch (MessagingException refused) when (messages.Count > 1 && !refused.IsTransient && !RetryRule.IsFatal(refused.Kind))
        {
            var half = messages.Count / 2;
            await SendAsync(messages[..half], outcomes[..half], isPart: true, cancellationToken);
            await SendAsync(messages[half..], outcomes[half..], isPart: true, cancellationToken);
        }
        catch (Exception failure) when (isPart)
        {
            // Only of these: what another part has stored stays stored.
            outcomes.AsSpan().Fill(failure);
        }
    }

    private OutgoingMessage GetMessage(ReceivedEvent receivedEvent) =>
        new()
        {
            MessageId = SinkNames.MessageId(hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber),
            Body = receivedEvent.Body,
            BodyKind = receivedEvent.BodyKind,
            ContentType = receivedEvent.ContentType,
            EncodedProperties = receivedEvent.EncodedProperties,
        };
}
