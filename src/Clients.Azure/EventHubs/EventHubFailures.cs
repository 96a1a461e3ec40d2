using System.Net.Sockets;
using System.Runtime.Serialization;
using Azure;
using Azure.Identity;
using Azure.Messaging.EventHubs;
using EventHubThroughput.Clients.Azure.Identity;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Turns what the packages throw into the one exception of the clients.</summary>
internal static class EventHubFailures
{
    /// <summary>Runs an operation of the package; its failures come out as <see cref="MessagingException"/>.</summary>
    /// <param name="entity">What the operation is about.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="cancellationToken">The caller's: its cancellation is no failure.</param>
    public static async Task<T> RunAsync<T>(string entity, Func<Task<T>> operation, CancellationToken cancellationToken)
    {
        try
        {
            return await operation().ConfigureAwait(false);
        }
        catch (Exception exception) when (!IsCancellation(exception, cancellationToken))
        {
            throw Of(exception, entity);
        }
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    public static async Task RunAsync(string entity, Func<Task> operation, CancellationToken cancellationToken)
    {
        try
        {
            await operation().ConfigureAwait(false);
        }
        catch (Exception exception) when (!IsCancellation(exception, cancellationToken))
        {
            throw Of(exception, entity);
        }
    }

    /// <summary>The exception for the caller; the same one if it is the caller's kind already.</summary>
    public static MessagingException Of(Exception exception, string entity) =>
        exception switch
        {
            MessagingException known => known,
            AggregateException { InnerException: { } first } => Of(first, entity),
            EventHubsException failed => OfHub(failed, entity),
            AuthenticationFailedException noToken => EntraId.NoToken(entity, noToken),
            UnauthorizedAccessException => new MessagingException(FailureKind.Unauthorized, $"not authorised for {entity}", exception),
            RequestFailedException refused => OfStorage(refused),
            SerializationException lost => new MessagingException(
                FailureKind.Permanent,
                $"{entity}: an event has an application property that the package does not carry: {PackageMessages.FirstLine(lost.Message)}",
                lost
            ),
            SocketException or IOException => new MessagingException(FailureKind.Unconnected, $"{entity}: {exception.Message}", exception),
            TimeoutException or OperationCanceledException => new MessagingException(FailureKind.Transient, $"{entity}: no answer in time", exception),
            _ => new MessagingException(FailureKind.Permanent, $"{entity}: {exception.Message}", exception),
        };

    /// <summary>Whether the caller is to see it as it is: his own cancellation.</summary>
    public static bool IsCancellation(Exception exception, CancellationToken cancellationToken) =>
        exception is OperationCanceledException && cancellationToken.IsCancellationRequested;

    private static MessagingException OfHub(EventHubsException failed, string entity)
    {
        var kind = failed.Reason switch
        {
            EventHubsException.FailureReason.ServiceBusy => FailureKind.Throttled,
            EventHubsException.FailureReason.ResourceNotFound => FailureKind.NotFound,
            EventHubsException.FailureReason.MessageSizeExceeded => FailureKind.TooLarge,
            EventHubsException.FailureReason.QuotaExceeded => FailureKind.Unavailable,
            EventHubsException.FailureReason.ConsumerDisconnected => FailureKind.OwnershipLost,
            _ => failed.IsTransient ? FailureKind.Transient : FailureKind.Permanent,
        };
        var text = kind == FailureKind.NotFound ? $"{entity} not found" : $"{entity}: {PackageMessages.FirstLine(failed.Message)}";
        return new MessagingException(kind, text, failed) { Condition = failed.Reason.ToString() };
    }

    // What the checkpoint store meets in its container.
    private static MessagingException OfStorage(RequestFailedException refused)
    {
        var kind = refused.Status switch
        {
            0 => FailureKind.Unconnected,
            401 or 403 => FailureKind.Unauthorized,
            404 => FailureKind.NotFound,
            409 or 412 => FailureKind.Conflict,
            429 or 503 => FailureKind.Throttled,
            _ => FailureKind.Transient,
        };
        return new MessagingException(kind, $"checkpoint store: {refused.ErrorCode ?? PackageMessages.FirstLine(refused.Message)}", refused)
        {
            Condition = refused.ErrorCode,
        };
    }
}
