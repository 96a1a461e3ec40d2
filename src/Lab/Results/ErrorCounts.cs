namespace EventHubThroughput.Lab.Results;

/// <summary>Failures and retries of the whole run.</summary>
internal sealed record ErrorCounts
{
    /// <summary>Tries of writes after their first one.</summary>
    public required long Retries { get; init; }

    /// <summary>The same and more for each sink, by its name. Empty in results of earlier versions.</summary>
    public IReadOnlyDictionary<string, SinkErrors> Sinks
    {
        get;
        init => field = Given.OrEmpty(value);
    } = new Dictionary<string, SinkErrors>(StringComparer.Ordinal);

    /// <summary>Uploads that found their blob in place, with the same bytes.</summary>
    public required long RepeatedBlobs { get; init; }

    /// <summary>Events that were stored among the dead letters.</summary>
    public required long DeadLettered { get; init; }

    /// <summary>Events that were held at some time because a write of them kept failing.</summary>
    public required long BlockedEvents { get; init; }

    /// <summary>Completions that came after their ownership had ended, and were dropped.</summary>
    public required long LateCompletions { get; init; }
}

/// <summary>Failures and retries at one sink, in the whole run.</summary>
internal sealed record SinkErrors
{
    /// <summary>Tries of writes after their first one, for any reason. The reasons that follow are included.</summary>
    public required long Retries { get; init; }

    /// <summary>Tries after the service had asked to slow down.</summary>
    public required long Throttles { get; init; }

    /// <summary>Tries after no answer had come in time. Null in results of earlier versions.</summary>
    public long? Timeouts { get; init; }

    /// <summary>Tries after no connection could be made.</summary>
    public required long Unconnected { get; init; }

    /// <summary>Writes that failed for good: their retries were used up, or another try would have failed too.</summary>
    public required long Failed { get; init; }

    /// <summary>Writes that were cut off at the end, so that it is unknown whether they were carried out.</summary>
    public required long Ambiguous { get; init; }
}
