namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>The effect of a fault.</summary>
public enum FaultAction
{
    /// <summary>Not executed, and answered with the error of a <see cref="FaultReason"/>.</summary>
    Refuse,

    /// <summary>Ends the connection without an answer, immediately or after a number of bytes of the answer.</summary>
    Drop,

    /// <summary>Detaches the link with the error of a <see cref="FaultReason"/>.</summary>
    Detach,

    /// <summary>Executed, but not answered.</summary>
    LoseAnswer,

    /// <summary>Executed twice.</summary>
    Duplicate,

    /// <summary>Executed later.</summary>
    Delay,

    /// <summary>Neither executed nor answered.</summary>
    BlackHole,

    /// <summary>Grants no credit for a while, so that the credit of the link runs out. Then executed.</summary>
    NoCredit,

    /// <summary>Limits the connection to a number of bytes a second in each direction.</summary>
    Slow,

    /// <summary>Changes one bit. For tests of a verifier.</summary>
    Corrupt,

    /// <summary>Simulates another owner: a reader is evicted, or an ownership gets another owner.</summary>
    Steal,

    /// <summary>Shifts the clock by this time.</summary>
    Skew,
}
