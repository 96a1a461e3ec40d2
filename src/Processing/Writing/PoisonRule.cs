using EventHubThroughput.Processing.Sinks;

namespace EventHubThroughput.Processing.Writing;

/// <summary>The poison policy in force, with what it needs.</summary>
internal sealed record PoisonRule
{
    /// <summary>The policy; null where there is none: the strategy is unsafe, and its loop gets the failure.</summary>
    public required PoisonPolicy? Policy { get; init; }

    /// <summary>Where dead letters are kept; needed by <see cref="PoisonPolicy.DeadLetter"/>.</summary>
    public DeadLetterStore? DeadLetters { get; init; }

    /// <summary>Who is told of events that are held.</summary>
    public required BlockedEvents Blocked { get; init; }
}
