using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// The requests of a receiver to an entity's management node: settling and renewing locks by their tokens, receiving deferred messages, and peeking.
/// Operations and fields follow Microsoft's description of Service Bus's request and response operations.
/// </summary>
/// <param name="connection">The connection.</param>
/// <param name="entity">The queue or subscription, or its dead letters.</param>
/// <param name="linkName">The name of the receiver's link while it has one. Some requests carry it.</param>
internal sealed class MessageManagement(ServiceConnection connection, string entity, Func<string?> linkName) : IAsyncDisposable
{
    // Values of AMQP's receiver-settle-mode: first removes a message with its delivery, second locks it.
    private const uint Removes = 0;
    private const uint Locks = 1;

    private readonly EntityLabel label = EntityLabel.Messages(entity);
    private readonly ManagementNode node = new(
        connection,
        EntityAddress.OfManagement(entity),
        EntityAddress.OfManagement(entity),
        EntityLabel.Messages(entity),
        new AmqpMap { { new AmqpSymbol(AmqpNames.EntityType), AmqpNames.EntityTypeManagement } }
    );

    /// <exception cref="MessagingException">Kind LockLost when the lock is gone.</exception>
    public Task SettleAsync(Guid lockToken, MessageDisposition disposition, CancellationToken cancellationToken)
    {
        var body = new AmqpMap() { { AmqpNames.LockTokens, AmqpArray.Of([lockToken]) }, { AmqpNames.DispositionStatus, disposition.Status } };
        foreach (var (field, value) in disposition.RequestFields)
        {
            body.Add(field, value);
        }

        return RequestAsync(AmqpNames.UpdateDispositionOperation, body, cancellationToken);
    }

    /// <exception cref="MessagingException">Kind LockLost when the lock is gone.</exception>
    public async Task<DateTimeOffset> RenewAsync(Guid lockToken, CancellationToken cancellationToken)
    {
        var body = new AmqpMap { { AmqpNames.LockTokens, AmqpArray.Of([lockToken]) } };
        var answer = await RequestAsync(AmqpNames.RenewLockOperation, body, cancellationToken).ConfigureAwait(false);
        return answer?.Find(AmqpNames.Expirations) is AmqpArray { Items: [AmqpTimestamp until] }
            ? until.ToDateTimeOffset()
            : throw Strange("renewing a lock holds no time");
    }

    /// <exception cref="MessagingException">Kind NotFound when one of them is not deferred.</exception>
    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveDeferredAsync(
        IReadOnlyList<long> sequenceNumbers,
        bool removes,
        CancellationToken cancellationToken
    )
    {
        ArgumentOutOfRangeException.ThrowIfZero(sequenceNumbers.Count, nameof(sequenceNumbers));
        var body = new AmqpMap { { AmqpNames.SequenceNumbers, AmqpArray.Of(sequenceNumbers) }, { AmqpNames.RequestedSettleMode, removes ? Removes : Locks } };
        var messages = GetMessages(await RequestAsync(AmqpNames.ReceiveBySequenceNumberOperation, body, cancellationToken).ConfigureAwait(false));
        return
        [
            .. messages.Select(entry =>
                Decode(entry) with
                {
                    LockToken = !removes && (entry as AmqpMap)?.Find(AmqpNames.DeferredLockToken) is Guid token ? token : Guid.Empty,
                }
            ),
        ];
    }

    public async Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long from, int maximum, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximum, 1);
        var body = new AmqpMap() { { AmqpNames.FromSequenceNumber, from }, { AmqpNames.MessageCount, maximum } };
        return [.. GetMessages(await RequestAsync(AmqpNames.PeekMessageOperation, body, cancellationToken).ConfigureAwait(false)).Select(Decode)];
    }

    public ValueTask DisposeAsync() => node.DisposeAsync();

    private async Task<AmqpMap?> RequestAsync(string operation, AmqpMap body, CancellationToken cancellationToken)
    {
        var answer = await node.RequestAsync(() => GetProperties(operation), MessageBody.OfValue(body), cancellationToken).ConfigureAwait(false);
        return answer.Body.Value as AmqpMap;
    }

    private AmqpMap GetProperties(string operation)
    {
        var properties = new AmqpMap
        {
            { AmqpNames.Operation, operation },
            { AmqpNames.ServerTimeout, (uint)connection.Retrier.Options.TryTimeout.TotalMilliseconds },
            { AmqpNames.TrackingId, Guid.NewGuid().ToString() },
        };
        if (linkName() is { } link)
        {
            properties.Add(AmqpNames.AssociatedLinkName, link);
        }

        return properties;
    }

    // The answer has no body when there are no messages.
    private static AmqpList GetMessages(AmqpMap? answer) => answer?.Find(AmqpNames.Messages) as AmqpList ?? [];

    private ReceivedMessage Decode(object? entry) =>
        entry is AmqpMap map && map.Find(AmqpNames.Message) is ReadOnlyMemory<byte> encoded
            ? MessageDecoder.Decode(encoded)
            : throw Strange("the answer with messages has another record");

    private MessagingException Strange(string what) => new(FailureKind.Permanent, $"{label}: the answer to {what}");
}
