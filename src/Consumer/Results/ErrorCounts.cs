namespace EventHubThroughput.Consumer.Results;

/// <summary>What did not go smoothly, over the whole run.</summary>
internal sealed record ErrorCounts
{
    /// <summary>Tries of writes after their first one.</summary>
    public required long Retries { get; init; }

    /// <summary>Uploads that found their blob in place, with the same bytes.</summary>
    public required long RepeatedBlobs { get; init; }

    /// <summary>Events that were stored among the dead letters.</summary>
    public required long DeadLettered { get; init; }

    /// <summary>Events that were held at some time because a write of them kept failing.</summary>
    public required long BlockedEvents { get; init; }

    /// <summary>Completions that came after their ownership was over, and were dropped.</summary>
    public required long LateCompletions { get; init; }
}
