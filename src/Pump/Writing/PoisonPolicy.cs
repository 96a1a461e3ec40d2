namespace EventHubThroughput.Processing;

/// <summary>What becomes of an event that a sink has failed for good.</summary>
public enum PoisonPolicy
{
    /// <summary>It is tried again for ever. The position stays before it, other events go on.</summary>
    Block,

    /// <summary>It is stored with the reason among the dead letters. Then the position passes it.</summary>
    DeadLetter,

    /// <summary>Processing drains and ends. The position stays before it.</summary>
    Stop,
}
