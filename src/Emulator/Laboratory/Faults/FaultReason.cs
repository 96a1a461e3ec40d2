using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.Laboratory.Faults;

/// <summary>A refusal in the services' own words: an AMQP error, and a status with its code for HTTP and for answers to requests.</summary>
internal sealed record FaultReason(string Name, string Condition, int Status, string Code, string Text)
{
    public static FaultReason Busy { get; } = new(
        "busy", AmqpNames.ServerBusyError, 503, "ServerBusy",
        "The request was terminated because the entity '{0}' is being throttled. Error code : {1}. Please wait {2} seconds and try again.");

    public static IReadOnlyList<FaultReason> All { get; } =
    [
        Busy,
        new("internal", ErrorCondition.InternalError, 500, "InternalError", "The service was unable to process the request for '{0}'; please retry the operation."),
        new("timeout", AmqpNames.TimeoutError, 408, "OperationTimedOut", "The operation on '{0}' did not complete within the allotted time."),
        new("too-many", AmqpNames.ServerBusyError, 429, "TooManyRequests", "Too many requests for '{0}'."),
        new("missing", ErrorCondition.NotFound, 404, "ContainerNotFound", "The messaging entity '{0}' could not be found."),
        new("disabled", AmqpNames.EntityDisabledError, 403, "AccountIsDisabled", "Messaging entity '{0}' is currently disabled."),
        new("full", ErrorCondition.ResourceLimitExceeded, 403, "InsufficientAccountPermissions", "The maximum entity size has been reached or exceeded for '{0}'."),
        new("limit", ErrorCondition.ResourceLimitExceeded, 403, "AccountLimitExceeded", "The number of active links of '{0}' has reached its limit."),
        new("too-large", ErrorCondition.MessageSizeExceeded, 413, "RequestBodyTooLarge", "What was sent to '{0}' exceeds the size that it allows."),
        new("unauthorized", ErrorCondition.UnauthorizedAccess, 401, "AuthorizationPermissionMismatch", "Unauthorized access. 'Send, Listen' claim(s) are required to perform this operation. Resource: '{0}'."),
        new("forbidden", ErrorCondition.UnauthorizedAccess, 403, "AuthorizationPermissionMismatch", "This request is not authorized to perform this operation on '{0}'."),
        new("expired", ErrorCondition.UnauthorizedAccess, 401, "AuthenticationFailed", "ExpiredToken: The token for '{0}' is expired."),
        new("stolen", ErrorCondition.LinkStolen, 410, "LeaseLost", "New receiver for '{0}' with higher epoch is created, hence the current receiver is getting disconnected."),
        new("lock-lost", AmqpNames.MessageLockLostError, 410, "LeaseLost", "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue '{0}'."),
        new("conflict", ErrorCondition.NotAllowed, 412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met."),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(static reason => reason.Name)];

    public static FaultReason Named(string name) => All.Single(reason => reason.Name == name);

    public AmqpError ToError(FaultTarget target) => new(Condition, TextFor(target));

    public Answer ToAnswer(FaultTarget target) => new(Status, TextFor(target), Condition);

    // Both services number their throttling, and clients wait longer for one than for the other.
    public string TextFor(FaultTarget target) => string.Format(
        System.Globalization.CultureInfo.InvariantCulture, Text, target.Entity ?? target.Service,
        target.Service == FaultTarget.ServiceBus ? "50009" : "50002", target.Service == FaultTarget.ServiceBus ? 2 : 4);
}
