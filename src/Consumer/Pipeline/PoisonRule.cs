using EventHubThroughput.Consumer.Sinks;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>What becomes of an event that a sink has failed for good.</summary>
internal enum PoisonPolicy
{
    /// <summary>It is tried again for ever; the position stays before it, other events go on.</summary>
    Block,

    /// <summary>It is stored with the reason among the dead letters; then the position passes it.</summary>
    DeadLetter,

    /// <summary>The run drains and ends; the position stays before it.</summary>
    Stop,
}

/// <summary>The poison policy of a run, with what it needs.</summary>
internal sealed record PoisonRule
{
    public required PoisonPolicy Policy { get; init; }

    /// <summary>Where dead letters are kept; needed by <see cref="PoisonPolicy.DeadLetter"/>.</summary>
    public DeadLetterStore? DeadLetters { get; init; }

    /// <summary>Who is told of events that are held.</summary>
    public required BlockedEvents Blocked { get; init; }
}
