using EventHubThroughput.Processing.Tracking;

namespace EventHubThroughput.Processing.Checkpointing;

/// <summary>Wakes those who wait for the low watermark to move: whoever hands over, and the checkpoint schedule.</summary>
internal sealed class WatermarkSignals : PartitionObserver
{
    /// <summary>For the gate before the strategy.</summary>
    public WakeUp Room { get; } = new();

    /// <summary>For the checkpoint schedule.</summary>
    public WakeUp Checkpoint { get; } = new();

    /// <summary>What the checkpoint schedule rests for.</summary>
    public CheckpointDemand Demand { get; } = new();

    /// <inheritdoc/>
    public override void Completed(in EventCompletion completion)
    {
        if (completion.Passed > 0)
        {
            Room.Set();
            if (Demand.IsMetBy(completion.Passed, completion.Watermark))
            {
                Checkpoint.Set();
            }
        }
    }
}
