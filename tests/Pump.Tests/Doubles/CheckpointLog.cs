using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>Remembers the attempts to store a position.</summary>
internal sealed class CheckpointLog : PartitionObserver
{
    private readonly TaskCompletionSource stored = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Each attempt: what it covers beyond the one before, how long it took, whether it is stored.</summary>
    public Recorded<(long Events, TimeSpan Elapsed, bool Stored)> Attempts { get; } = [];

    /// <summary>Completes when a position has been stored.</summary>
    public Task FirstStored => stored.Task;

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed)
    {
        Attempts.Add((events, elapsed, true));
        stored.TrySetResult();
    }

    public override void CheckpointFailed(TimeSpan elapsed) => Attempts.Add((0, elapsed, false));
}
