using Azure;
using Azure.Identity;
using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Azure.Identity;

namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>Converts exceptions of the administration clients to the exception of the clients.</summary>
/// <param name="host">The host and port of the service.</param>
internal sealed class AdministrationFailures(string host)
{
    /// <summary>Runs an operation. Its failures become <see cref="MessagingException"/>.</summary>
    /// <param name="subject">The entity, with its kind.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="cancellationToken">The caller's token. Its cancellation is not a failure.</param>
    public async Task<T> RunAsync<T>(string subject, Func<Task<T>> operation, CancellationToken cancellationToken)
    {
        try
        {
            return await operation().ConfigureAwait(false);
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw Translate(subject, exception);
        }
    }

    private MessagingException Translate(string subject, Exception exception) =>
        exception switch
        {
            // The exceptions of several tries of one request. The last one counts.
            AggregateException { InnerExceptions: [.., { } last] } => Translate(subject, last),
            _ when PackageFailures.GetConnectError(exception) is { } error => new(
                FailureKind.Unreachable,
                $"{subject}: no connection to {host} ({error})",
                exception
            ),
            AuthenticationFailedException noToken => EntraId.NoToken(subject, noToken),
            UnauthorizedAccessException => Unauthorized(subject, exception),
            ServiceBusException failure => OfReason(subject, failure),
            RequestFailedException { Status: > 0 } refused => OfStatus(subject, refused),
            OperationCanceledException or TimeoutException => new(FailureKind.Transient, $"{subject}: no answer from {host} in time", exception),
            HttpRequestException or IOException or RequestFailedException => new(
                FailureKind.Transient,
                $"{subject}: the connection to {host} broke: {PackageFailures.FirstLine(exception.Message)}",
                exception
            ),
            _ => new(FailureKind.Permanent, $"{subject}: {PackageFailures.FirstLine(exception.Message)}", exception),
        };

    private static MessagingException OfReason(string subject, ServiceBusException failure) =>
        failure.Reason switch
        {
            ServiceBusFailureReason.MessagingEntityNotFound => NotFound(subject, failure),
            ServiceBusFailureReason.MessagingEntityAlreadyExists => Conflict(subject, failure),
            ServiceBusFailureReason.QuotaExceeded => new(FailureKind.Unavailable, $"{subject}: {PackageFailures.FirstLine(failure.Message)}", failure),
            ServiceBusFailureReason.ServiceBusy => Throttled(subject, failure),
            ServiceBusFailureReason.ServiceTimeout or ServiceBusFailureReason.ServiceCommunicationProblem => new(
                FailureKind.Transient,
                $"{subject}: {PackageFailures.FirstLine(failure.Message)}",
                failure
            ),
            _ => new(FailureKind.Permanent, $"{subject}: {PackageFailures.FirstLine(failure.Message)}", failure),
        };

    private static MessagingException OfStatus(string subject, RequestFailedException refused) =>
        refused.Status switch
        {
            401 => Unauthorized(subject, refused),

            // Storage refuses a missing right with 403. The namespaces report a full quota with it, and a missing right with 401.
            403 when refused.ErrorCode is not null => Unauthorized(subject, refused),
            403 => new(FailureKind.Unavailable, $"{subject}: {PackageFailures.FirstLine(refused.Message)}", refused),
            404 => NotFound(subject, refused),
            409 => Conflict(subject, refused),
            429 or 503 => Throttled(subject, refused),
            >= 500 => new(FailureKind.Transient, $"{subject}: {PackageFailures.FirstLine(refused.Message)}", refused),
            _ => new(FailureKind.Permanent, $"{subject}: {PackageFailures.FirstLine(refused.Message)}", refused),
        };

    private static MessagingException Unauthorized(string subject, Exception cause) => new(FailureKind.Unauthorized, $"not authorized for {subject}", cause);

    private static MessagingException NotFound(string subject, Exception cause) => new(FailureKind.NotFound, $"{subject} not found", cause);

    private static MessagingException Conflict(string subject, Exception cause) => new(FailureKind.Conflict, $"{subject} exists already", cause);

    private static MessagingException Throttled(string subject, Exception cause) => new(FailureKind.Throttled, $"{subject}: the service is busy", cause);
}
