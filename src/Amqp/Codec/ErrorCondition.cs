using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>The error conditions that AMQP itself defines (part 2, 2.8.15 to 2.8.18). Services add their own.</summary>
public static class ErrorCondition
{
    /// <summary>An internal error occurred.</summary>
    public const string InternalError = "amqp:internal-error";

    /// <summary>The address does not exist.</summary>
    public const string NotFound = "amqp:not-found";

    /// <summary>The peer may not do this.</summary>
    public const string UnauthorizedAccess = "amqp:unauthorized-access";

    /// <summary>Data could not be decoded.</summary>
    public const string DecodeError = "amqp:decode-error";

    /// <summary>A limit of the peer was reached.</summary>
    public const string ResourceLimitExceeded = "amqp:resource-limit-exceeded";

    /// <summary>The operation is not allowed here.</summary>
    public const string NotAllowed = "amqp:not-allowed";

    /// <summary>A field has a value that is not legal.</summary>
    public const string InvalidField = "amqp:invalid-field";

    /// <summary>The operation is not implemented.</summary>
    public const string NotImplemented = "amqp:not-implemented";

    /// <summary>The resource is locked by another.</summary>
    public const string ResourceLocked = "amqp:resource-locked";

    /// <summary>A precondition does not hold.</summary>
    public const string PreconditionFailed = "amqp:precondition-failed";

    /// <summary>The resource was deleted while in use.</summary>
    public const string ResourceDeleted = "amqp:resource-deleted";

    /// <summary>The frame is not permitted in this state.</summary>
    public const string IllegalState = "amqp:illegal-state";

    /// <summary>The frame size is too small to send what must be sent.</summary>
    public const string FrameSizeTooSmall = "amqp:frame-size-too-small";

    /// <summary>An operator or a time-out closed the connection.</summary>
    public const string ConnectionForced = "amqp:connection:forced";

    /// <summary>A frame header is malformed, or a frame is over the limit.</summary>
    public const string FramingError = "amqp:connection:framing-error";

    /// <summary>The container is at another address.</summary>
    public const string ConnectionRedirect = "amqp:connection:redirect";

    /// <summary>The peer sent more transfers than the session's window allows.</summary>
    public const string WindowViolation = "amqp:session:window-violation";

    /// <summary>Input came for a link that was detached with an error.</summary>
    public const string ErrantLink = "amqp:session:errant-link";

    /// <summary>An attach used a handle that is taken.</summary>
    public const string HandleInUse = "amqp:session:handle-in-use";

    /// <summary>A frame named a handle that no link uses.</summary>
    public const string UnattachedHandle = "amqp:session:unattached-handle";

    /// <summary>An operator detached the link.</summary>
    public const string DetachForced = "amqp:link:detach-forced";

    /// <summary>The peer sent more messages than the link's credit allows.</summary>
    public const string TransferLimitExceeded = "amqp:link:transfer-limit-exceeded";

    /// <summary>The message is larger than the link's maximum.</summary>
    public const string MessageSizeExceeded = "amqp:link:message-size-exceeded";

    /// <summary>The node is at another address.</summary>
    public const string LinkRedirect = "amqp:link:redirect";

    /// <summary>The link was attached elsewhere.</summary>
    public const string LinkStolen = "amqp:link:stolen";
}
