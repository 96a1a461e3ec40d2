namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>What a fault does.</summary>
public enum FaultAction
{
    /// <summary>Not done, and answered with the error of a <see cref="FaultReason"/>.</summary>
    Refuse,

    /// <summary>The connection ends without a word, at once or after so many bytes of the answer.</summary>
    Drop,

    /// <summary>The link ends with the error of a <see cref="FaultReason"/>.</summary>
    Detach,

    /// <summary>Done, and never answered.</summary>
    LoseAnswer,

    /// <summary>Done twice.</summary>
    Duplicate,

    /// <summary>Done later.</summary>
    Delay,

    /// <summary>Neither done nor answered.</summary>
    BlackHole,

    /// <summary>No more is taken from the link for a while, so its credit runs out. Then it is done.</summary>
    NoCredit,

    /// <summary>The connection is served at so many bytes a second in each direction.</summary>
    Slow,

    /// <summary>One bit of the bytes differs. For tests of a verifier.</summary>
    Corrupt,

    /// <summary>Somebody else owns it: a reader is put out, an ownership gets another owner.</summary>
    Steal,

    /// <summary>The clock is wrong by so much.</summary>
    Skew,
}
