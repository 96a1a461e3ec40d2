using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The last event of each partition of a hub at a moment. A cell that starts there processes what is sent afterwards.</summary>
internal static class HubPositions
{
    /// <summary>The writer that checkpoints of a start name.</summary>
    private const string Writer = "eht-compare";

    /// <summary>Reads the positions. A partition that never had an event has none.</summary>
    public static async Task<IReadOnlyDictionary<string, EventPosition>> ReadAsync(IMessagingClients clients, CancellationToken cancellationToken)
    {
        var positions = new Dictionary<string, EventPosition>(StringComparer.Ordinal);
        foreach (var id in (await clients.GetEventHubPropertiesAsync(cancellationToken)).PartitionIds)
        {
            var partition = await clients.GetPartitionPropertiesAsync(id, cancellationToken);
            if (partition.LastSequenceNumber >= 0)
            {
                positions.Add(id, new EventPosition(partition.LastSequenceNumber, partition.LastOffset is { Length: > 0 } offset ? offset : null));
            }
        }

        return positions;
    }

    /// <summary>Stores the positions as checkpoints, in the layout that every official processor reads.</summary>
    public static async Task StoreAsync(IMessagingClients clients, IReadOnlyDictionary<string, EventPosition> positions, CancellationToken cancellationToken)
    {
        foreach (var (id, position) in positions)
        {
            await clients.CheckpointStore.WriteCheckpointAsync(id, position, Writer, previous: null, fenced: false, cancellationToken);
        }
    }
}
