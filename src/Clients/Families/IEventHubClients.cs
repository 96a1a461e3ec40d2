using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients;

/// <summary>Creates the clients of one event hub and consumer group, which share its connections.</summary>
public interface IEventHubClients : IAsyncDisposable
{
    /// <summary>Reads the event hub's name, creation time and partitions.</summary>
    Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken);

    /// <summary>Reads one partition's first and last sequence numbers.</summary>
    Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken);

    /// <summary>
    /// Reads a partition from a position to a sequence number or a little beyond, concurrently with its owner. The service refuses it while a reader with an
    /// owner level has the partition in the same consumer group.
    /// </summary>
    /// <param name="partitionId">The partition.</param>
    /// <param name="afterSequenceNumber">Reading begins after this event, or with the oldest retained event. -1 is before every event.</param>
    /// <param name="throughSequenceNumber">Reading ends with the batch that contains it.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="MessagingException">Kind Unreachable when no event has arrived for the operation's time limit.</exception>
    IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    );

    /// <summary>Creates a writer to the event hub.</summary>
    IEventHubWriter CreateEventHubWriter();

    /// <summary>Creates a writer that collects events into batches.</summary>
    IBufferedEventWriter CreateBufferedEventWriter();

    /// <summary>The store of ownerships and checkpoints, in the container of the checkpoints.</summary>
    ICheckpointStore CheckpointStore { get; }

    /// <summary>Creates a processor that shares the hub's partitions with the others of its consumer group.</summary>
    /// <param name="options">Identifier, batch, prefetch and balancing.</param>
    /// <param name="open">Called once per ownership, before its first event.</param>
    IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open);
}
