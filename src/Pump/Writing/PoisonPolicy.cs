namespace EventHubThroughput.Processing;

/// <summary>The policy for an event that a sink has failed for good.</summary>
public enum PoisonPolicy
{
    /// <summary>It is retried for ever. The position stays before it, other events continue.</summary>
    Block,

    /// <summary>It is stored with the reason in the dead-letter store. Then the position passes it.</summary>
    DeadLetter,

    /// <summary>Processing drains and ends. The position stays before it.</summary>
    Stop,
}
