using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// The events that were there when the run began, and how far the stored checkpoints have come through them. The backlog is drained when every partition's
/// stored checkpoint has reached the last event read at the start. Any consumer may have written the checkpoint.
/// </summary>
internal sealed class Backlog
{
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(500);

    private readonly ICheckpointStore store;
    private readonly TimeProvider timeProvider;
    private readonly Lock gate = new();
    private readonly TaskCompletionSource drained = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Partitions that are not drained yet. Touched under the gate.
    private readonly Dictionary<string, PartitionBacklog> open;

    private Backlog(ICheckpointStore store, TimeProvider timeProvider, IReadOnlyList<PartitionBacklog> partitions)
    {
        this.store = store;
        this.timeProvider = timeProvider;
        Partitions = partitions;
        open = partitions.Where(partition => partition.Left > 0).ToDictionary(partition => partition.PartitionId, StringComparer.Ordinal);
        Events = open.Values.Sum(partition => partition.Left);
        if (open.Count == 0)
        {
            drained.SetResult();
        }
    }

    /// <summary>Every partition of the hub, as found at the start.</summary>
    public IReadOnlyList<PartitionBacklog> Partitions { get; }

    /// <summary>How many events were waiting at the start. Gaps in the log make it an upper bound.</summary>
    public long Events { get; }

    public bool IsDrained => drained.Task.IsCompleted;

    /// <summary>The last event that waited in a partition. Null for an unknown partition.</summary>
    public long? GetLast(string partitionId) =>
        Partitions.Where(partition => partition.PartitionId == partitionId).Select(partition => (long?)partition.Last).FirstOrDefault();

    /// <summary>The last event that waited in a partition beside others that had events too. Null for any other partition.</summary>
    public long? LastAmongSeveral(string partitionId) =>
        Partitions.Count(static partition => partition.Left > 0) > 1
            ? Partitions
                .Where(partition => partition.PartitionId == partitionId && partition.Left > 0)
                .Select(static partition => (long?)partition.Last)
                .FirstOrDefault()
            : null;

    /// <summary>Reads ends and checkpoints of all partitions.</summary>
    /// <param name="clients">Where to ask.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="acceptGap">Continues although events above a checkpoint are gone.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <exception cref="FailureException">Checkpoints and hub do not belong together, or events are gone.</exception>
    public static async Task<Backlog> ReadAsync(IMessagingClients clients, TimeProvider timeProvider, bool acceptGap, CancellationToken cancellationToken)
    {
        var hub = await clients.GetEventHubPropertiesAsync(cancellationToken);
        StartRefusals.OfPartitions(hub, await clients.CheckpointStore.ListOwnershipsAsync(cancellationToken));
        var partitions = new List<PartitionBacklog>();
        foreach (var id in hub.PartitionIds)
        {
            // In this order: a checkpoint that was read first cannot be beyond an end that was read later.
            var checkpoint = await clients.CheckpointStore.ReadCheckpointAsync(id, cancellationToken);
            var partition = await clients.GetPartitionPropertiesAsync(id, cancellationToken);
            var stored = StoredSequence(checkpoint, partition);
            StartRefusals.OfPosition(hub, partition, stored, acceptGap);
            var first = Math.Max(stored + 1, Math.Max(0, partition.BeginSequenceNumber));
            var last = partition.IsEmpty ? -1 : partition.LastSequenceNumber;
            partitions.Add(new PartitionBacklog(id, first, last));
        }

        return new Backlog(clients.CheckpointStore, timeProvider, partitions);
    }

    // A checkpoint that holds only an offset shows no progress in between, but at the end it is recognised.
    private static long StoredSequence(Checkpoint? checkpoint, PartitionProperties partition) =>
        checkpoint is null ? -1
        : checkpoint.Position.SequenceNumber < 0 && checkpoint.Position.Offset == partition.LastOffset ? partition.LastSequenceNumber
        : checkpoint.Position.SequenceNumber;

    /// <summary>Records a stored checkpoint. Returns how many events of the partition's backlog are left.</summary>
    public long Confirm(string partitionId, long sequence)
    {
        lock (gate)
        {
            if (!open.TryGetValue(partitionId, out var partition))
            {
                return 0;
            }

            partition = partition with { First = Math.Max(partition.First, sequence + 1) };
            if (partition.Left > 0)
            {
                open[partitionId] = partition;
                return partition.Left;
            }

            open.Remove(partitionId);
            if (open.Count == 0)
            {
                drained.TrySetResult();
            }

            return 0;
        }
    }

    /// <summary>Completes when the backlog is drained. Asks the store only for partitions that others may be writing.</summary>
    public async Task WaitAsync(Func<IReadOnlyCollection<string>> owned, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(PollInterval, timeProvider);
        while (!drained.Task.IsCompleted)
        {
            var tick = timer.WaitForNextTickAsync(cancellationToken).AsTask();
            await Task.WhenAny(tick, drained.Task);
            if (drained.Task.IsCompleted)
            {
                // Disposing the timer ends the tick.
                return;
            }

            await tick;
            await PollAsync(owned(), cancellationToken);
        }
    }

    private async Task PollAsync(IReadOnlyCollection<string> owned, CancellationToken cancellationToken)
    {
        foreach (var id in OpenPartitions().Where(id => !owned.Contains(id)))
        {
            try
            {
                if (await store.ReadCheckpointAsync(id, cancellationToken) is { } checkpoint)
                {
                    Confirm(id, checkpoint.Position.SequenceNumber);
                }
            }
            catch (MessagingException failure) when (failure.IsTransient)
            {
                // The next poll asks again.
            }
        }
    }

    private List<string> OpenPartitions()
    {
        lock (gate)
        {
            return [.. open.Keys];
        }
    }
}

/// <summary>The events of one partition from <paramref name="First"/> to <paramref name="Last"/>, both included. Empty when First is above Last.</summary>
internal readonly record struct PartitionBacklog(string PartitionId, long First, long Last)
{
    public long Left => Math.Max(0, Last - First + 1);
}
