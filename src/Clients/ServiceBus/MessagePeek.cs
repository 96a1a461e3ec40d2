using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Looks at messages through the entity's management node, without a receiving link.</summary>
internal sealed class MessagePeek(ServiceConnection connection, string entity) : IAsyncDisposable
{
    private readonly ManagementNode node = new(
        connection,
        EntityAddress.OfManagement(entity),
        EntityAddress.OfManagement(entity),
        EntityLabel.Messages(entity),
        new AmqpMap { { new AmqpSymbol(AmqpNames.EntityType), AmqpNames.EntityTypeManagement } }
    );

    public async Task<IReadOnlyList<ReceivedMessage>> ReadAsync(long from, int maximum, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximum, 1);
        var body = new AmqpMap() { { AmqpNames.FromSequenceNumber, from }, { AmqpNames.MessageCount, maximum } };
        var answer = await node.RequestAsync(Request, MessageBody.OfValue(body), cancellationToken).ConfigureAwait(false);

        // Answered without a body when there is nothing to see.
        return (answer.Body.Value as AmqpMap)?.Find(AmqpNames.Messages) is AmqpList messages ? [.. messages.Select(Decode)] : [];
    }

    public ValueTask DisposeAsync() => node.DisposeAsync();

    private ReceivedMessage Decode(object? entry) =>
        entry is AmqpMap map && map.Find(AmqpNames.Message) is ReadOnlyMemory<byte> encoded
            ? MessageDecoder.Decode(encoded)
            : throw new MessagingException(FailureKind.Permanent, $"{EntityLabel.Messages(entity)}: the answer to peeking holds something that is no message");

    private AmqpMap Request() =>
        new()
        {
            { AmqpNames.Operation, AmqpNames.PeekMessageOperation },
            { AmqpNames.ServerTimeout, (uint)connection.Retrier.Options.TryTimeout.TotalMilliseconds },
            { AmqpNames.TrackingId, Guid.NewGuid().ToString() },
        };
}
