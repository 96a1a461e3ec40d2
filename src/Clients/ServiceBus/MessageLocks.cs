using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Settles messages by their lock tokens, through the entity's management node, when the link that delivered them has gone.</summary>
internal sealed class MessageLocks(ServiceConnection connection, string entity) : IAsyncDisposable
{
    private readonly ManagementNode node = new(
        connection,
        EntityAddress.OfManagement(entity),
        EntityAddress.OfManagement(entity),
        EntityLabel.Messages(entity),
        new AmqpMap { { new AmqpSymbol(AmqpNames.EntityType), AmqpNames.EntityTypeManagement } }
    );

    /// <exception cref="MessagingException">Kind LockLost when the lock has gone.</exception>
    public Task SettleAsync(Guid lockToken, string disposition, CancellationToken cancellationToken)
    {
        var body = new AmqpMap() { { AmqpNames.LockTokens, AmqpArray.Of([lockToken]) }, { AmqpNames.DispositionStatus, disposition } };
        return node.RequestAsync(Request, MessageBody.OfValue(body), cancellationToken);
    }

    public ValueTask DisposeAsync() => node.DisposeAsync();

    private AmqpMap Request() =>
        new()
        {
            { AmqpNames.Operation, AmqpNames.UpdateDispositionOperation },
            { AmqpNames.ServerTimeout, (uint)connection.Retrier.Options.TryTimeout.TotalMilliseconds },
            { AmqpNames.TrackingId, Guid.NewGuid().ToString() },
        };
}
