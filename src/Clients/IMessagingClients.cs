using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Clients;

/// <summary>Makes every client that a harness needs; owns the connections, which all clients of a namespace share.</summary>
public interface IMessagingClients : IAsyncDisposable
{
    /// <summary>Reads the event hub's name, creation time and partitions.</summary>
    Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken);

    /// <summary>Reads one partition's first and last sequence numbers.</summary>
    Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken);

    /// <summary>Makes a writer to the event hub.</summary>
    IEventHubWriter CreateEventHubWriter();

    /// <summary>The store of ownerships and checkpoints, in the container of the settings.</summary>
    ICheckpointStore CheckpointStore { get; }

    /// <summary>Makes a processor that shares the hub's partitions with the others of its consumer group.</summary>
    /// <param name="options">Identifier, batch, prefetch and balancing.</param>
    /// <param name="open">Called for each partition that is taken, once per incarnation, before its first event.</param>
    IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open);

    /// <summary>Makes a sender to a queue or topic.</summary>
    IMessageSender CreateMessageSender(string entity);

    /// <summary>Makes a receiver of a queue or subscription.</summary>
    IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options);

    /// <summary>Gives access to a blob container; nothing is created.</summary>
    IBlobContainer GetBlobContainer(string name);
}
