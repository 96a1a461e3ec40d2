using System.Collections.Concurrent;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>Makes handlers that record what they are given, and lets tests wait for it.</summary>
internal sealed class RecordingPartitions(bool checkpoints = false)
{
    private readonly Lock gate = new();
    private readonly List<ReceivedEvent> events = [];
    private Exception? failure;
    private readonly List<(Func<bool> Met, TaskCompletionSource Signal)> waits = [];

    public ConcurrentQueue<(string Partition, PartitionStopReason Reason)> Closed { get; } = new();

    public ConcurrentDictionary<string, IOwnedPartition> Open { get; } = new(StringComparer.Ordinal);

    public ConcurrentQueue<int> BatchSizes { get; } = new();

    /// <summary>Every partition that was opened, in this order.</summary>
    public ConcurrentQueue<string> Opened { get; } = new();

    /// <summary>Called in the middle of each closing.</summary>
    public Func<string, Task>? OnClose { get; init; }

    /// <summary>Called in the middle of each batch.</summary>
    public Func<EventBatch, CancellationToken, Task>? OnBatch { get; init; }

    public IReadOnlyList<ReceivedEvent> Events
    {
        get
        {
            lock (gate)
            {
                return [.. events];
            }
        }
    }

    public IPartitionHandler OpenHandler(IOwnedPartition partition)
    {
        Open[partition.PartitionId] = partition;
        Opened.Enqueue(partition.PartitionId);
        Check();
        return new Handler(this, partition);
    }

    /// <summary>Waits until a condition on this recorder alone is true. It is evaluated after each change, under its lock.</summary>
    public async Task UntilAsync(Func<RecordingPartitions, bool> condition, CancellationToken cancellationToken)
    {
        var signal = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (gate)
        {
            waits.Add((() => condition(this), signal));
            if (failure is { } known && !condition(this))
            {
                signal.TrySetException(known);
            }
        }

        Check();
        await signal.Task.WaitAsync(cancellationToken);
    }

    public Task UntilCountAsync(int count, CancellationToken cancellationToken) => UntilAsync(one => one.Events.Count >= count, cancellationToken);

    /// <summary>Ends the waits: nothing more will come.</summary>
    public void Fail(Exception exception)
    {
        lock (gate)
        {
            failure = exception;
            foreach ((_, var signal) in waits)
            {
                signal.TrySetException(exception);
            }
        }
    }

    private void Check()
    {
        lock (gate)
        {
            foreach ((var met, var signal) in waits)
            {
                if (!signal.Task.IsCompleted && met())
                {
                    signal.TrySetResult();
                }
            }
        }
    }

    private sealed class Handler(RecordingPartitions recorder, IOwnedPartition partition) : IPartitionHandler
    {
        public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
        {
            recorder.BatchSizes.Enqueue(batch.Events.Count);
            lock (recorder.gate)
            {
                recorder.events.AddRange(batch.Events);
            }

            recorder.Check();
            if (recorder.OnBatch is { } onBatch)
            {
                await onBatch(batch, cancellationToken);
            }

            if (recorder.CheckpointsEach)
            {
                var last = batch.Events[^1];
                await partition.CheckpointAsync(new EventPosition(last.SequenceNumber, last.Offset), cancellationToken);
            }
        }

        public async Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken)
        {
            if (recorder.OnClose is { } onClose)
            {
                await onClose(partition.PartitionId);
            }

            recorder.Open.TryRemove(partition.PartitionId, out _);
            recorder.Closed.Enqueue((partition.PartitionId, reason));
            recorder.Check();
        }
    }

    private bool CheckpointsEach { get; } = checkpoints;
}
