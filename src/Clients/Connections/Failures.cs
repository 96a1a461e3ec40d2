using System.Net.Sockets;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Turns what went wrong on the wire into the one exception of the clients.</summary>
internal static class Failures
{
    /// <summary>The exception for the caller; the same one if it is the caller's kind already.</summary>
    /// <param name="exception">What happened.</param>
    /// <param name="entity">What the operation was about.</param>
    /// <param name="host">Host and port, which is named where the connection is at fault.</param>
    public static MessagingException Of(Exception exception, EntityLabel entity, string host) =>
        exception switch
        {
            MessagingException known => known,
            AmqpException amqp => OfAmqp(amqp, entity, host),
            IOException or SocketException => new MessagingException(FailureKind.Transient, $"{entity} at {host}: {exception.Message}", exception),
            OperationCanceledException => new MessagingException(FailureKind.Transient, $"{entity}: no answer from {host} in time", exception),
            _ => new MessagingException(FailureKind.Permanent, $"{entity}: {exception.Message}", exception),
        };

    /// <summary>The exception of an error that the service gave in an answer.</summary>
    public static MessagingException Of(AmqpError error, EntityLabel entity, Exception? cause = null)
    {
        var condition = error.Condition.Value;
        var kind = KindOf(condition);
        var text = kind switch
        {
            FailureKind.NotFound when condition != AmqpNames.MessageNotFoundError => $"{entity} not found",
            FailureKind.Unauthorized => $"not authorized for '{entity.Name}'",
            _ => $"{entity}: {Describe(error)}",
        };
        return new MessagingException(kind, text, cause) { Condition = condition };
    }

    /// <summary>What a condition means for the next step; unknown ones are worth another try.</summary>
    public static FailureKind KindOf(string condition) =>
        condition switch
        {
            AmqpNames.ServerBusyError => FailureKind.Throttled,
            ErrorCondition.NotFound or ErrorCondition.ResourceDeleted or AmqpNames.MessageNotFoundError => FailureKind.NotFound,
            ErrorCondition.UnauthorizedAccess => FailureKind.Unauthorized,
            ErrorCondition.MessageSizeExceeded => FailureKind.TooLarge,
            ErrorCondition.LinkStolen => FailureKind.OwnershipLost,
            AmqpNames.MessageLockLostError => FailureKind.LockLost,
            AmqpNames.EntityDisabledError or ErrorCondition.ResourceLimitExceeded => FailureKind.Unavailable,
            ErrorCondition.NotAllowed
            or ErrorCondition.NotImplemented
            or ErrorCondition.InvalidField
            or ErrorCondition.DecodeError
            or ErrorCondition.PreconditionFailed
            or AmqpNames.ArgumentError
            or AmqpNames.ArgumentOutOfRangeError => FailureKind.Permanent,
            _ => FailureKind.Transient,
        };

    /// <summary>What a status code of $cbs or $management means when the answer names no condition.</summary>
    public static string ConditionOf(long statusCode) =>
        statusCode switch
        {
            400 => ErrorCondition.InvalidField,
            401 => ErrorCondition.UnauthorizedAccess,
            403 => ErrorCondition.TransferLimitExceeded,
            404 => ErrorCondition.NotFound,
            410 => AmqpNames.MessageLockLostError,
            501 => ErrorCondition.NotImplemented,
            503 => AmqpNames.ServerBusyError,
            _ => ErrorCondition.InternalError,
        };

    private static MessagingException OfAmqp(AmqpException amqp, EntityLabel entity, string host) =>
        amqp.Scope switch
        {
            // The connection or the session suffered, not the request: a fresh one may do.
            AmqpErrorScope.Transport
            or AmqpErrorScope.Timeout
            or AmqpErrorScope.Decode
            or AmqpErrorScope.Session when KindOf(amqp.Error.Condition.Value) is not (FailureKind.Unauthorized or FailureKind.NotFound) => Again(
                amqp,
                entity,
                host
            ),

            // A session that is over, which another write may have ended, says so in the words of a deleted entity.
            AmqpErrorScope.Session when amqp.Error.Condition.Value == ErrorCondition.ResourceDeleted => Again(amqp, entity, host),

            // A crowded service closes connections and detaches links, and takes them again later; a full entity rejects messages.
            AmqpErrorScope.Connection or AmqpErrorScope.Link when amqp.Error.Condition.Value == ErrorCondition.ResourceLimitExceeded => Again(
                amqp,
                entity,
                host
            ),
            _ => Of(amqp.Error, entity, amqp),
        };

    private static MessagingException Again(AmqpException amqp, EntityLabel entity, string host) =>
        new(FailureKind.Transient, $"{entity} at {host}: {Describe(amqp.Error)}", amqp)
        {
            Condition = amqp.Error.Condition.Value,
            IsTimeout = amqp.Scope == AmqpErrorScope.Timeout,
        };

    private static string Describe(AmqpError error) =>
        string.IsNullOrEmpty(error.Description) ? error.Condition.Value : $"{error.Description} ({error.Condition.Value})";
}
