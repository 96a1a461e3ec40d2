using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;

namespace EventHubThroughput.Pump.Azure.Tests;

/// <summary>The events of an <c>EventProcessorClient</c>, raised by the package's own base class.</summary>
internal sealed class ProcessorClient(CheckpointStore store, string connection, EventProcessorOptions options)
    : PluggableCheckpointStoreEventProcessor<EventProcessorPartition>(store, 10, "$Default", connection, "hub", options)
{
    public event Func<ProcessEventArgs, Task> ProcessEventAsync = null!;

    public event Func<PartitionClosingEventArgs, Task> PartitionClosingAsync = null!;

    /// <summary>The failures that the package reports. It continues after each.</summary>
    public List<Exception> Errors { get; } = [];

    protected override async Task OnProcessingEventBatchAsync(
        IEnumerable<EventData> events,
        EventProcessorPartition partition,
        CancellationToken cancellationToken
    )
    {
        foreach (var one in events)
        {
            var context = EventHubsModelFactory.PartitionContext(FullyQualifiedNamespace, EventHubName, ConsumerGroup, partition.PartitionId);
            await ProcessEventAsync(new ProcessEventArgs(context, one, token => StoreAsync(partition.PartitionId, one, token), cancellationToken));
        }
    }

    protected override Task OnPartitionProcessingStoppedAsync(
        EventProcessorPartition partition,
        ProcessingStoppedReason reason,
        CancellationToken cancellationToken
    ) =>
        Task.WhenAll(
            PartitionClosingAsync
                .GetInvocationList()
                .Cast<Func<PartitionClosingEventArgs, Task>>()
                .Select(handler => handler(new PartitionClosingEventArgs(partition.PartitionId, reason, cancellationToken)))
        );

    protected override Task OnProcessingErrorAsync(
        Exception exception,
        EventProcessorPartition partition,
        string operationDescription,
        CancellationToken cancellationToken
    )
    {
        lock (Errors)
        {
            Errors.Add(exception);
        }

        return Task.CompletedTask;
    }

    private Task StoreAsync(string partition, EventData one, CancellationToken cancellationToken) =>
        UpdateCheckpointAsync(partition, CheckpointPosition.FromEvent(one), cancellationToken);
}
