namespace EventHubThroughput.Clients;

/// <summary>Why an operation failed, as far as the caller's next step depends on it.</summary>
public enum FailureKind
{
    /// <summary>Connection lost, time-out, internal error of the service: worth another try.</summary>
    Transient,

    /// <summary>The service asks to slow down: worth another try, later.</summary>
    Throttled,

    /// <summary>
    /// No connection could be made this time, so nothing was sent: worth another try. When that goes on for too long, Unreachable
    /// follows, so a caller need not count these tries.
    /// </summary>
    Unconnected,

    /// <summary>No connection could be made for the limit of <c>RetryOptions.UnreachableLimit</c>.</summary>
    Unreachable,

    /// <summary>The event hub, queue, topic, container or blob does not exist, or no message was deferred under that number.</summary>
    NotFound,

    /// <summary>Key, token or rights refused.</summary>
    Unauthorized,

    /// <summary>The entity is there and takes nothing: it is disabled, or full.</summary>
    Unavailable,

    /// <summary>The event, message or blob is too large for its destination.</summary>
    TooLarge,

    /// <summary>A condition (ETag, only-if-absent) did not hold.</summary>
    Conflict,

    /// <summary>Another reader has taken the partition.</summary>
    OwnershipLost,

    /// <summary>The lock of a message has expired or was never held.</summary>
    LockLost,

    /// <summary>Anything else that another try would not change.</summary>
    Permanent,
}

/// <summary>The one exception of the clients. Its message names the entity and never holds a secret.</summary>
public sealed class MessagingException(FailureKind kind, string message, Exception? innerException = null) : Exception(message, innerException)
{
    // A peer names it: timers take no more than 49 days, and no caller waits for as long.
    private static readonly TimeSpan LongestRetryAfter = TimeSpan.FromHours(1);

    /// <summary>Why the operation failed.</summary>
    public FailureKind Kind { get; } = kind;

    /// <summary>The service's own error condition or code, if it gave one.</summary>
    public string? Condition { get; init; }

    /// <summary>The least wait before another try that the service asked for. Zero when it did not. What is above 1 hour becomes 1 hour.</summary>
    public TimeSpan RetryAfter
    {
        get;
        init => field = value < LongestRetryAfter ? value : LongestRetryAfter;
    }

    /// <summary>
    /// Whether an earlier try of the same operation ended without a proper answer and may have been carried out, so that a condition may
    /// have been refused because of our own write.
    /// </summary>
    public bool FollowsUnanswered { get; init; }

    /// <summary>Whether no answer came in time, so that the operation may have been carried out.</summary>
    public bool IsTimeout
    {
        get => field || InnerException is TimeoutException or OperationCanceledException;
        init;
    }

    /// <summary>What the code of a user threw, where this was made around it. Otherwise this.</summary>
    internal Exception Thrown => isAround ? InnerException! : this;

    private bool isAround;

    /// <summary>Makes a failure that may pass of whatever the code of a user threw.</summary>
    internal static MessagingException Around(Exception thrown) =>
        thrown as MessagingException ?? new MessagingException(FailureKind.Transient, $"{thrown.GetType().Name}: {thrown.Message}", thrown) { isAround = true };

    /// <summary>Whether the same operation may succeed when tried again.</summary>
    public bool IsTransient => Kind is FailureKind.Transient or FailureKind.Throttled or FailureKind.Unconnected;
}
