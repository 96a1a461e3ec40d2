using System.Globalization;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>A refusal in the words of the services: an AMQP error, the status of an answer to a request, and the error of the blob service.</summary>
public sealed record FaultReason
{
    private FaultReason(string name, string condition, int status, string text, BlobFailure blob) =>
        (Name, Condition, Status, Text, Blob) = (name, condition, status, text, blob);

    /// <summary>The name in rules: <c>busy</c>, <c>expired</c>.</summary>
    public string Name { get; }

    /// <summary>The condition of the AMQP error.</summary>
    internal string Condition { get; }

    /// <summary>The status of an answer to a request.</summary>
    internal int Status { get; }

    /// <summary>The description, with places for the entity, the code and the seconds to wait.</summary>
    internal string Text { get; }

    /// <summary>The answer of the blob service.</summary>
    internal BlobFailure Blob { get; }

    public static FaultReason Busy { get; } =
        new(
            "busy",
            AmqpNames.ServerBusyError,
            503,
            "The request was terminated because the entity '{0}' is being throttled. Error code : {1}. Please wait {2} seconds and try again.",
            BlobFailure.Busy(TimeSpan.FromSeconds(1))
        );

    /// <summary>The error of the service for a link that was idle for ten minutes (Azure/azure-sdk-for-java, issue 34588).</summary>
    public static FaultReason Idle { get; } =
        new(
            "idle",
            ErrorCondition.DetachForced,
            410,
            "The link to '{0}' is force detached. Code: consumer(link1). Details: AmqpMessageConsumer.IdleTimerExpired: Idle timeout: 00:10:00.",
            new BlobFailure(500, "OperationTimedOut", "The operation could not be completed within the permitted time.")
        );

    public static IReadOnlyList<FaultReason> All { get; } =
    [
        Busy,
        Idle,
        new(
            "internal",
            ErrorCondition.InternalError,
            500,
            "The service was unable to process the request for '{0}'; please retry the operation.",
            BlobFailure.InternalError
        ),
        new(
            "timeout",
            AmqpNames.TimeoutError,
            408,
            "The operation on '{0}' did not complete within the allotted time.",
            new BlobFailure(500, "OperationTimedOut", "The operation could not be completed within the permitted time.")
        ),
        new("too-many", AmqpNames.ServerBusyError, 429, "Too many requests for '{0}'.", new BlobFailure(429, "TooManyRequests", "Too many requests.")),
        new("missing", ErrorCondition.NotFound, 404, "The messaging entity '{0}' could not be found.", BlobFailure.ContainerNotFound),
        new(
            "disabled",
            AmqpNames.EntityDisabledError,
            403,
            "Messaging entity '{0}' is currently disabled.",
            new BlobFailure(403, "AccountIsDisabled", "The specified account is disabled.")
        ),
        new(
            "full",
            ErrorCondition.ResourceLimitExceeded,
            403,
            "The maximum entity size has been reached or exceeded for '{0}'.",
            new BlobFailure(403, "InsufficientAccountPermissions", "The account being accessed does not have sufficient permissions to execute this operation.")
        ),
        new(
            "limit",
            ErrorCondition.ResourceLimitExceeded,
            403,
            "The number of active links of '{0}' has reached its limit.",
            new BlobFailure(503, "ServerBusy", "Ingress is over the account limit.")
        ),
        new("too-large", ErrorCondition.MessageSizeExceeded, 413, "What was sent to '{0}' exceeds the size that it allows.", BlobFailure.BodyTooLarge),
        new(
            "unauthorized",
            ErrorCondition.UnauthorizedAccess,
            401,
            "Unauthorized access. 'Send, Listen' claim(s) are required to perform this operation. Resource: '{0}'.",
            new BlobFailure(
                401,
                "NoAuthenticationInformation",
                "Server failed to authenticate the request. Please refer to the information in the www-authenticate header."
            )
        ),
        new(
            "forbidden",
            ErrorCondition.UnauthorizedAccess,
            403,
            "This request is not authorized to perform this operation on '{0}'.",
            BlobFailure.PermissionMismatch
        ),
        new("expired", ErrorCondition.UnauthorizedAccess, 401, "ExpiredToken: The token for '{0}' is expired.", BlobFailure.AuthenticationFailed),
        new(
            "stolen",
            ErrorCondition.LinkStolen,
            410,
            "New receiver for '{0}' with higher epoch is created, hence the current receiver is getting disconnected.",
            BlobFailure.LeaseLost(LeaseWords.Blob)
        ),
        new(
            "lock-lost",
            AmqpNames.MessageLockLostError,
            410,
            "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue '{0}'.",
            BlobFailure.LeaseLost(LeaseWords.Blob)
        ),
        new("conflict", ErrorCondition.NotAllowed, 412, "The operation on '{0}' conflicts with another one.", BlobFailure.ConditionNotMet),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(static reason => reason.Name)];

    public static FaultReason Named(string name) => All.Single(reason => reason.Name == name);

    /// <param name="target">The refused target.</param>
    /// <param name="wait">The time that a busy service advises. Null for its usual time.</param>
    internal AmqpError ToError(FaultTarget target, TimeSpan? wait = null) => new(Condition, TextFor(target, wait));

    internal Answer ToAnswer(FaultTarget target) => new(Status, TextFor(target, wait: null), Condition);

    // Both services have numbers for throttling, and clients wait longer for one than for the other.
    private string TextFor(FaultTarget target, TimeSpan? wait)
    {
        var (code, usual) = target.Service == FaultTarget.ServiceBus ? ("50009", 2.0) : ("50002", 4.0);
        return string.Format(CultureInfo.InvariantCulture, Text, target.Entity ?? target.Service, code, wait?.TotalSeconds ?? usual);
    }
}
