namespace EventHubThroughput.Clients;

/// <summary>Why an operation failed, as far as the caller's next step depends on it.</summary>
public enum FailureKind
{
    /// <summary>Connection lost, time-out, internal error of the service: another try may succeed.</summary>
    Transient,

    /// <summary>The service asks to slow down: a later try may succeed.</summary>
    Throttled,

    /// <summary>
    /// No connection could be made this time, so nothing was sent: another try may succeed. After the limit Unreachable follows, so a caller need not count
    /// these tries.
    /// </summary>
    Unconnected,

    /// <summary>No connection could be made for the limit of <c>RetryOptions.UnreachableLimit</c>.</summary>
    Unreachable,

    /// <summary>The event hub, queue, topic, container or blob does not exist, or no message was deferred under that number.</summary>
    NotFound,

    /// <summary>Key, token or rights refused.</summary>
    Unauthorized,

    /// <summary>The entity exists and accepts nothing: it is disabled, or full.</summary>
    Unavailable,

    /// <summary>The event, message or blob is too large for its destination.</summary>
    TooLarge,

    /// <summary>A condition (ETag, only-if-absent) was not met.</summary>
    Conflict,

    /// <summary>Another reader has taken the partition.</summary>
    OwnershipLost,

    /// <summary>The lock of a message has expired or never existed.</summary>
    LockLost,

    /// <summary>Anything else that another try would not change.</summary>
    Permanent,
}

/// <summary>The exception of the clients. Its message names the entity and contains no secret.</summary>
public sealed class MessagingException(FailureKind kind, string message, Exception? innerException = null) : Exception(message, innerException)
{
    // The service names the wait. Timers accept at most 49 days, and no caller waits that long.
    private static readonly TimeSpan LongestRetryAfter = TimeSpan.FromHours(1);

    /// <summary>Why the operation failed.</summary>
    public FailureKind Kind { get; } = kind;

    /// <summary>The service's own error condition or code, if it gave one.</summary>
    public string? Condition { get; init; }

    /// <summary>The least wait before another try that the service asked for. Zero when it did not. Values above 1 hour become 1 hour.</summary>
    public TimeSpan RetryAfter
    {
        get;
        init => field = value < LongestRetryAfter ? value : LongestRetryAfter;
    }

    /// <summary>
    /// Whether an earlier try of the same operation ended without a proper answer and may have been executed. The service may then have refused a condition
    /// because of our own write.
    /// </summary>
    public bool FollowsUnanswered { get; init; }

    /// <summary>Whether no answer arrived in time, so that the operation may have been executed.</summary>
    public bool IsTimeout
    {
        get => field || InnerException is TimeoutException or OperationCanceledException;
        init;
    }

    /// <summary>The exception of the user's code, if this exception wraps one. Otherwise this exception.</summary>
    internal Exception Thrown => isAround ? InnerException! : this;

    private bool isAround;

    /// <summary>Wraps an exception of the user's code as a transient failure.</summary>
    internal static MessagingException Around(Exception thrown) =>
        thrown as MessagingException ?? new MessagingException(FailureKind.Transient, $"{thrown.GetType().Name}: {thrown.Message}", thrown) { isAround = true };

    /// <summary>Whether the same operation may succeed when tried again.</summary>
    public bool IsTransient => Kind is FailureKind.Transient or FailureKind.Throttled or FailureKind.Unconnected;
}
