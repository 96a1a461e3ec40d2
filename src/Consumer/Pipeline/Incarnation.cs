using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Invariants;
using EventHubThroughput.Consumer.Supervision;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>One unbroken ownership of one partition: what its tracked sinks and its pump share.</summary>
internal sealed class Incarnation : IDisposable
{
    private readonly CancellationTokenSource writes;

    public Incarnation(string partitionId, int sinks, RunStop stop, CancellationToken lost)
    {
        PartitionId = partitionId;
        Stop = stop;
        Lost = lost;
        Watermark = new LowWatermark(sinks);
        Delivered = new DeliveredEvents(sinks);
        writes = CancellationTokenSource.CreateLinkedTokenSource(lost, stop.Cut);
        Writes = writes.Token;
    }

    public string PartitionId { get; }

    public LowWatermark Watermark { get; }

    /// <summary>What the checks of invariants go by; nothing is decided by it.</summary>
    public DeliveredEvents Delivered { get; }

    public RunStop Stop { get; }

    /// <summary>Cancelled when another processor has the partition.</summary>
    public CancellationToken Lost { get; }

    /// <summary>Cuts writes: the partition is lost, or the drain limit is over.</summary>
    public CancellationToken Writes { get; }

    /// <summary>Where the process is to die, for tests of crashes.</summary>
    public KillSwitch KillSwitch { get; init; } = KillSwitch.Off;

    /// <summary>Cuts the writes in flight; nothing of this incarnation matters any more.</summary>
    public Task CutAsync() => writes.CancelOnSchedulerAsync();

    public void Dispose() => writes.Dispose();
}
