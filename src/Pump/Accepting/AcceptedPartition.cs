using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Pump.Accepting;

/// <summary>
/// A partition whose events come from an unknown client. The checkpoint of an event is the function that came with it. A function leaves the queue after a
/// checkpoint at its event or above is stored. So the queue is never longer than the replay limit.
/// </summary>
/// <param name="partitionId">The partition.</param>
internal sealed class AcceptedPartition(string partitionId) : IOwnedPartition
{
    private readonly Lock gate = new();

    // Under the gate, lowest sequence number first.
    private readonly Queue<(long Sequence, Func<CancellationToken, Task> Store)> checkpoints = new();

    public string PartitionId => partitionId;

    public Checkpoint? StartedFrom => null;

    public CancellationToken Lost => CancellationToken.None;

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    /// <summary>Adds the checkpoint function of an event.</summary>
    public void Add(long sequence, Func<CancellationToken, Task> store)
    {
        lock (gate)
        {
            checkpoints.Enqueue((sequence, store));
        }
    }

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        try
        {
            await At(position.SequenceNumber)(cancellationToken);
        }
        catch (Exception failure) when (!(failure is OperationCanceledException && cancellationToken.IsCancellationRequested))
        {
            // Any exception of the function may be transient: the position stays until a later try stores it.
            throw MessagingException.Around(failure);
        }
    }

    // The function of the event stays in the queue, so that a later try finds it again.
    private Func<CancellationToken, Task> At(long sequence)
    {
        lock (gate)
        {
            while (checkpoints.Peek().Sequence < sequence)
            {
                checkpoints.Dequeue();
            }

            return checkpoints.Peek().Store;
        }
    }
}
