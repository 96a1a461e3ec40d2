using System.Net.Sockets;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Converts errors of the wire to the exception of the clients.</summary>
internal static class Failures
{
    /// <summary>The exception for the caller. A <see cref="MessagingException"/> is returned unchanged.</summary>
    /// <param name="exception">The error.</param>
    /// <param name="entity">The entity of the operation.</param>
    /// <param name="host">Host and port, which the message names if the connection failed.</param>
    public static MessagingException Of(Exception exception, EntityLabel entity, string host) =>
        exception switch
        {
            MessagingException known => known,
            AmqpException amqp => OfAmqp(amqp, entity, host),
            IOException or SocketException => new MessagingException(FailureKind.Transient, $"{entity} at {host}: {exception.Message}", exception),
            OperationCanceledException => new MessagingException(FailureKind.Transient, $"{entity}: no answer from {host} in time", exception),
            _ => new MessagingException(FailureKind.Permanent, $"{entity}: {exception.Message}", exception),
        };

    /// <summary>The exception of an error in an answer of the service.</summary>
    public static MessagingException Of(AmqpError error, EntityLabel entity, Exception? cause = null)
    {
        var condition = error.Condition.Value;
        var kind = GetKind(condition);
        var text = kind switch
        {
            FailureKind.NotFound when condition != AmqpNames.MessageNotFoundError => $"{entity} not found",
            FailureKind.Unauthorized => $"not authorized for '{entity.Name}'",
            _ => $"{entity}: {Describe(error)}",
        };
        return new MessagingException(kind, text, cause) { Condition = condition };
    }

    /// <summary>The kind of failure of a condition. Unknown conditions count as transient.</summary>
    public static FailureKind GetKind(string condition) =>
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

    /// <summary>The condition of a status code of $cbs or $management whose answer names none.</summary>
    public static string GetCondition(long statusCode) =>
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
            // The connection or the session failed, not the request: a new one may work.
            AmqpErrorScope.Transport
            or AmqpErrorScope.Timeout
            or AmqpErrorScope.Decode
            or AmqpErrorScope.Session when GetKind(amqp.Error.Condition.Value) is not (FailureKind.Unauthorized or FailureKind.NotFound) => Again(
                amqp,
                entity,
                host
            ),

            // A session that another write may have ended reports the same condition as a deleted entity.
            AmqpErrorScope.Session when amqp.Error.Condition.Value == ErrorCondition.ResourceDeleted => Again(amqp, entity, host),

            // A busy service closes connections and detaches links, and accepts them again later. A full entity rejects messages.
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
