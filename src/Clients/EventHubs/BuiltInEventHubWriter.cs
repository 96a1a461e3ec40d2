using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Sends events over one link per target: the event hub, or one of its partitions. May be used concurrently.</summary>
internal sealed class BuiltInEventHubWriter(ServiceConnection connection, string hub) : IEventHubWriter
{
    private const int LongestKey = 128;

    // The standard limit, for services that name none.
    private const long UsualLimit = 1_048_576;

    private readonly string clientId = Guid.NewGuid().ToString("N");
    private readonly EntityLabel entity = EntityLabel.EventHub(hub);

    // By the partition, which is empty for the hub itself.
    private readonly ConcurrentDictionary<string, SendingLink> links = new(StringComparer.Ordinal);

    public async Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken)
    {
        if (partitionKey is not null && partitionId is not null)
        {
            throw new MessagingException(FailureKind.Permanent, $"{entity}: a batch has a partition key or a partition, not both");
        }

        ThrowIfTooLong(partitionKey);
        return new OutgoingEventBatch(partitionKey, partitionId, await BatchLimitAsync(partitionId, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>The most bytes of a batch to a partition or to the hub. Opens the link, whose attach has the limit.</summary>
    public async ValueTask<long> BatchLimitAsync(string? partitionId, CancellationToken cancellationToken)
    {
        var limit = await LinkTo(partitionId).BatchLimitAsync(cancellationToken).ConfigureAwait(false);
        return limit == long.MaxValue ? UsualLimit : limit;
    }

    /// <exception cref="MessagingException">The key is longer than the service accepts.</exception>
    public void ThrowIfTooLong(string? partitionKey)
    {
        if (partitionKey is { Length: > LongestKey })
        {
            throw new MessagingException(
                FailureKind.Permanent,
                $"{entity}: partition key of {partitionKey.Length} characters exceeds the limit of {LongestKey}"
            );
        }
    }

    public Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken)
    {
        if (batch is not OutgoingEventBatch own)
        {
            throw new MessagingException(FailureKind.Permanent, $"{entity}: the batch was made by another writer");
        }

        return own.Count == 0 ? Task.CompletedTask : SendAsync(own, cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var link in links.Values)
        {
            await link.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task SendAsync(OutgoingEventBatch batch, CancellationToken cancellationToken)
    {
        batch.BeginSending();
        var isStored = false;
        try
        {
            await LinkTo(batch.PartitionId).SendAsync(batch.Payload, batch.MessageFormat, cancellationToken).ConfigureAwait(false);
            isStored = true;
        }
        finally
        {
            batch.EndSending(isStored);
        }
    }

    private SendingLink LinkTo(string? partitionId) =>
        links.GetOrAdd(
            partitionId ?? string.Empty,
            static (partition, own) =>
                new SendingLink(
                    own.connection,
                    own.entity,
                    partition.Length == 0 ? own.hub : EntityAddress.OfPartition(own.hub, partition),
                    own.clientId,
                    new AmqpMap { { new AmqpSymbol(AmqpNames.EntityType), AmqpNames.EntityTypeEventHubSender } }
                ),
            (connection, entity, hub, clientId)
        );
}
