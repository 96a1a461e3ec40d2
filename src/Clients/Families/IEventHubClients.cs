using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients;

/// <summary>Makes the clients of one event hub and consumer group, which share its connections.</summary>
public interface IEventHubClients : IAsyncDisposable
{
    /// <summary>Reads the event hub's name, creation time and partitions.</summary>
    Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken);

    /// <summary>Reads one partition's first and last sequence numbers.</summary>
    Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken);

    /// <summary>
    /// Reads a partition from its oldest retained event to a sequence number (or a little beyond), beside whoever owns it. Refused
    /// by the service while a reader with an owner level has the partition in the same consumer group.
    /// </summary>
    /// <param name="partitionId">The partition.</param>
    /// <param name="throughSequenceNumber">Reading ends with the batch that holds it.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="MessagingException">Kind Unreachable when no event has come for the operation's time limit.</exception>
    IAsyncEnumerable<EventBatch> ReadPartitionAsync(string partitionId, long throughSequenceNumber, CancellationToken cancellationToken);

    /// <summary>Makes a writer to the event hub.</summary>
    IEventHubWriter CreateEventHubWriter();

    /// <summary>Makes a writer that gathers its batches by itself.</summary>
    IBufferedEventWriter CreateBufferedEventWriter();

    /// <summary>The store of ownerships and checkpoints, in the container of the checkpoints.</summary>
    ICheckpointStore CheckpointStore { get; }

    /// <summary>Makes a processor that shares the hub's partitions with the others of its consumer group.</summary>
    /// <param name="options">Identifier, batch, prefetch and balancing.</param>
    /// <param name="open">Called for each partition that is taken, once per ownership, before its first event.</param>
    IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open);
}
