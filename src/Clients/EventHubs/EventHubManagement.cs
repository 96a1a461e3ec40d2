using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Reads the properties of an event hub and its partitions.</summary>
internal sealed class EventHubManagement(ServiceConnection connection, string hub) : IAsyncDisposable
{
    private readonly EntityLabel entity = EntityLabel.EventHub(hub);

    private readonly ManagementNode node = new(connection, AmqpNames.ManagementAddress, EntityAddress.OfManagement(hub), EntityLabel.EventHub(hub), null);

    public async Task<EventHubProperties> GetHubAsync(CancellationToken cancellationToken)
    {
        var answer = await ReadAsync(AmqpNames.EventHubType, null, cancellationToken).ConfigureAwait(false);
        return new EventHubProperties(
            answer.FindString(AmqpNames.Name) ?? hub,
            answer.Find(AmqpNames.CreatedAt) is AmqpTimestamp time ? time.ToDateTimeOffset() : default,
            PartitionIds(answer)
        );
    }

    public async Task<PartitionProperties> GetPartitionAsync(string partitionId, CancellationToken cancellationToken)
    {
        var answer = await ReadAsync(AmqpNames.PartitionType, partitionId, cancellationToken).ConfigureAwait(false);
        var last = answer.FindInteger(AmqpNames.LastEnqueuedSequenceNumber) ?? throw Incomplete(AmqpNames.LastEnqueuedSequenceNumber);
        var isEmpty = answer.Find(AmqpNames.IsPartitionEmpty) is true;
        return new PartitionProperties(
            partitionId,
            isEmpty ? -1 : answer.FindInteger(AmqpNames.BeginSequenceNumber) ?? throw Incomplete(AmqpNames.BeginSequenceNumber),
            last,
            answer.FindString(AmqpNames.LastEnqueuedOffset) ?? answer.FindInteger(AmqpNames.LastEnqueuedOffset)?.ToString() ?? "-1",
            isEmpty
        );
    }

    public ValueTask DisposeAsync() => node.DisposeAsync();

    private async Task<AmqpMap> ReadAsync(string type, string? partitionId, CancellationToken cancellationToken)
    {
        var answer = await node.RequestAsync(() => Request(type, partitionId), default, cancellationToken).ConfigureAwait(false);
        return answer.Body.Value as AmqpMap ?? throw Incomplete("body");
    }

    private AmqpMap Request(string type, string? partitionId)
    {
        var properties = new AmqpMap()
        {
            { AmqpNames.Operation, AmqpNames.ReadOperation },
            { AmqpNames.Name, hub },
            { AmqpNames.Type, type },
            { AmqpNames.SecurityToken, connection.CreateToken(hub).Text },
        };
        if (partitionId is not null)
        {
            properties.Add(AmqpNames.Partition, partitionId);
        }

        return properties;
    }

    private List<string> PartitionIds(AmqpMap answer)
    {
        IEnumerable<object?> ids = answer.Find(AmqpNames.PartitionIds) switch
        {
            AmqpArray array => array.Items,
            AmqpList list => list,
            _ => throw Incomplete(AmqpNames.PartitionIds),
        };
        return [.. ids.OfType<string>()];
    }

    private MessagingException Incomplete(string what) => new(FailureKind.Permanent, $"{entity}: the management answer has no {what}");
}
