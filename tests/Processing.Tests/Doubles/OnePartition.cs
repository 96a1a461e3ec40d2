using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Processing.Tests.Doubles;

/// <summary>Clients of a hub with one partition, whose events the processor hands over once it may. Then it waits for its stop.</summary>
internal sealed class OnePartition(int events) : IMessagingClients, IEventHubProcessor, IOwnedPartition
{
    private readonly TaskCompletionSource opening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource processed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource lost = new();
    private readonly List<string> owned = [];
    private Func<IOwnedPartition, IPartitionHandler>? open;

    /// <summary>The last position that was stored.</summary>
    public long? Stored { get; private set; }

    public bool Disposed { get; private set; }

    /// <summary>The events themselves, where it matters what they are.</summary>
    public EventBatch? Batch { get; init; }

    /// <summary>Where dead letters go, if the test has any.</summary>
    public IBlobContainer? Container { get; init; }

    /// <summary>How the partition ends when the processor stops.</summary>
    public PartitionStopReason Reason { get; init; } = PartitionStopReason.Shutdown;

    public ICheckpointStore CheckpointStore => throw new NotSupportedException();

    public IReadOnlyCollection<string> OwnedPartitions => owned;

    public string PartitionId => "0";

    public Checkpoint? StartedFrom => null;

    public CancellationToken Lost => lost.Token;

    /// <summary>Lets the processor take its partition. Completes when the events have been processed.</summary>
    public Task GiveAsync()
    {
        opening.TrySetResult();
        return processed.Task;
    }

    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open)
    {
        this.open = open;
        return this;
    }

    public async Task RunAsync(CancellationToken stop)
    {
        var stopped = new TaskCompletionSource();
        await using var registration = stop.Register(stopped.SetResult);
        await Task.WhenAny(opening.Task, stopped.Task);
        if (stop.IsCancellationRequested)
        {
            return;
        }

        owned.Add(PartitionId);
        var handler = open!(this);
        try
        {
            await handler.ProcessAsync(Batch ?? Some.Batch(events), CancellationToken.None);
            processed.TrySetResult();
            await stopped.Task;
        }
        finally
        {
            await handler.CloseAsync(Reason, CancellationToken.None);
            owned.Clear();
        }
    }

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    public Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        Stored = position.SequenceNumber;
        return Task.CompletedTask;
    }

    public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    public IEventHubWriter CreateEventHubWriter() => throw new NotSupportedException();

    public IBufferedEventWriter CreateBufferedEventWriter() => throw new NotSupportedException();

    public IMessageSender CreateMessageSender(string entity) => throw new NotSupportedException();

    public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

    public IBlobContainer GetBlobContainer(string name) => Container ?? throw new NotSupportedException();

    public ValueTask DisposeAsync()
    {
        Disposed = true;
        lost.Dispose();
        return ValueTask.CompletedTask;
    }
}
