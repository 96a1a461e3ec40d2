using System.Net.Sockets;
using Azure.Identity;
using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Azure.Identity;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Azure.ServiceBus;

/// <summary>
/// Converts exceptions of the package to the exception of the clients. All entities of a namespace share it, because they share one connection.
/// </summary>
/// <param name="host">Host and port.</param>
/// <param name="retry">Has the limit of the time that the namespace may be unreachable.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="notice">Called with a line when connections have failed for a second. Null reports nothing.</param>
internal sealed class ServiceBusFailures(string host, RetryOptions retry, TimeProvider timeProvider, Action<string>? notice)
{
    private readonly Outage outage = new(retry, timeProvider, host, notice);

    /// <summary>Runs an operation of the package. Its failures become <see cref="MessagingException"/>.</summary>
    /// <param name="entity">The entity of the operation.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="cancellationToken">The caller's token. Its cancellation is not a failure.</param>
    public async Task<T> RunAsync<T>(EntityLabel entity, Func<Task<T>> operation, CancellationToken cancellationToken)
    {
        var started = timeProvider.GetTimestamp();
        try
        {
            var result = await operation().ConfigureAwait(false);
            outage.Over();
            return result;
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw Of(exception, entity, started);
        }
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    public async Task RunAsync(EntityLabel entity, Func<Task> operation, CancellationToken cancellationToken)
    {
        var started = timeProvider.GetTimestamp();
        try
        {
            await operation().ConfigureAwait(false);
            outage.Over();
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw Of(exception, entity, started);
        }
    }

    /// <summary>The raw timestamp of an operation that begins now.</summary>
    public long Begin() => timeProvider.GetTimestamp();

    /// <summary>Records a success of an operation.</summary>
    public void Succeeded() => outage.Over();

    /// <summary>Converts the failure of an operation.</summary>
    /// <param name="exception">The exception of the package.</param>
    /// <param name="entity">The entity of the operation.</param>
    /// <param name="started">When it began.</param>
    public MessagingException Of(Exception exception, EntityLabel entity, long started) =>
        exception switch
        {
            // The package wraps the socket's error, in several layers after retries.
            _ when PackageFailures.GetConnectError(exception) is { } error => NoConnection(exception, error, started),
            AuthenticationFailedException noToken => EntraId.NoToken(entity.ToString(), noToken),
            ServiceBusException failure => OfService(failure, entity),
            UnauthorizedAccessException => new MessagingException(FailureKind.Unauthorized, $"not authorized for '{entity.Name}'", exception),
            OperationCanceledException or TimeoutException => new MessagingException(
                FailureKind.Transient,
                $"{entity}: no answer from {host} in time",
                exception
            ),
            _ => new MessagingException(FailureKind.Permanent, $"{entity}: {PackageFailures.FirstLine(exception.Message)}", exception),
        };

    private MessagingException OfService(ServiceBusException failure, EntityLabel entity)
    {
        var kind = GetKind(failure);
        outage.Over();
        var text =
            failure.Reason == ServiceBusFailureReason.MessagingEntityNotFound
                ? $"{entity} not found"
                : $"{entity}: {PackageFailures.FirstLine(failure.Message)}";
        return new MessagingException(kind, text, failure)
        {
            Condition = failure.Reason.ToString(),
            IsTimeout = failure.Reason == ServiceBusFailureReason.ServiceTimeout,
        };
    }

    private static FailureKind GetKind(ServiceBusException failure) =>
        failure.Reason switch
        {
            ServiceBusFailureReason.MessagingEntityNotFound or ServiceBusFailureReason.MessageNotFound => FailureKind.NotFound,
            ServiceBusFailureReason.MessageLockLost => FailureKind.LockLost,
            ServiceBusFailureReason.MessageSizeExceeded => FailureKind.TooLarge,
            ServiceBusFailureReason.MessagingEntityDisabled or ServiceBusFailureReason.QuotaExceeded => FailureKind.Unavailable,
            ServiceBusFailureReason.ServiceBusy => FailureKind.Throttled,
            _ => failure.IsTransient ? FailureKind.Transient : FailureKind.Permanent,
        };

    private MessagingException NoConnection(Exception exception, string error, long started)
    {
        var text = $"no connection to service bus {host} ({error})";
        return outage.Failed(started, exception) > TimeSpan.Zero
            ? new MessagingException(FailureKind.Unconnected, text, exception)
            : new MessagingException(
                FailureKind.Unreachable,
                $"service bus {host} unreachable for {retry.UnreachableLimit.TotalSeconds:0.###} s{Outage.GetLastingCause(exception)}",
                exception
            );
    }
}
