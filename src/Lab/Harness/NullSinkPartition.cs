using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Lab.Harness;

/// <summary>The partition, as its handler in the pump has it.</summary>
/// <param name="handler">The handler.</param>
internal sealed class NullSinkPartition(IPartitionHandler handler)
{
    /// <summary>The name of the partition.</summary>
    public const string Id = "0";

    private bool isClosed;

    /// <summary>Hands a batch over.</summary>
    public Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken) => handler.ProcessAsync(batch, cancellationToken);

    /// <summary>Waits for all that is under way. Nothing may be handed over afterwards.</summary>
    public async Task CloseAsync()
    {
        if (!isClosed)
        {
            isClosed = true;
            await handler.CloseAsync(PartitionStopReason.Shutdown, CancellationToken.None);
        }
    }
}
