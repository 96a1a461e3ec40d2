namespace EventHubThroughput.Conviction.Tests.Recording;

/// <summary>Where an operation goes.</summary>
internal enum Place
{
    Queue,
    Archive,
    DeadLetters,
    Checkpoints,
}

/// <summary>One attempt at one operation: at which event or position, and the how many-th for it, from 1.</summary>
internal readonly record struct Attempt(Place Place, long Sequence, int Number);

/// <summary>What the services do to an attempt.</summary>
internal enum Effect
{
    /// <summary>It is served.</summary>
    None,

    /// <summary>Nothing is stored. Another try is useful.</summary>
    Refused,

    /// <summary>Nothing is stored. Another try would not change that.</summary>
    TooLarge,

    /// <summary>It is stored, but the answer never arrives. The failure looks as if another try were useful.</summary>
    AnswerLost,

    /// <summary>
    /// It is stored and answered, but the connection of the messages ends before the answer is read. The failure looks as if another try were useful.
    /// </summary>
    AnswerCutOff,

    /// <summary>Nothing is stored, and a time-out of the client's own surfaces as a cancellation.</summary>
    CancelledByTimeOut,

    /// <summary>It is served, a fifth of a second later.</summary>
    Slow,

    /// <summary>It is stored, and the answer arrives after <see cref="RecordedServices.LateAnswer"/>.</summary>
    AnsweredLate,
}
