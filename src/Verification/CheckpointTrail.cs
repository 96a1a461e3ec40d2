namespace EventHubThroughput.Verification;

/// <summary>Where one partition's checkpoints stand, and below which event everything is complete.</summary>
internal sealed class CheckpointTrail
{
    /// <summary>How many of the run's events of the partition are known to be complete without a gap.</summary>
    public int CompleteRun { get; set; }

    public long? LastPosition { get; set; }

    public string? LastClient { get; set; }

    public string? LastLink { get; set; }
}
