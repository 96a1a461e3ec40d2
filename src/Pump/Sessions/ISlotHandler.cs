using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>One ownership of a partition, for events of any type. Calls never overlap.</summary>
internal interface ISlotHandler : IPartitionHandler
{
    /// <summary>Handles the next events.</summary>
    /// <param name="slots">The events, lowest sequence number first. At least one.</param>
    /// <param name="cancellationToken">Cancelled when reading stops.</param>
    Task ProcessAsync(IReadOnlyList<EventSlot> slots, CancellationToken cancellationToken);

    Task IPartitionHandler.ProcessAsync(EventBatch batch, CancellationToken cancellationToken) => ProcessAsync(batch.Events, cancellationToken);
}
