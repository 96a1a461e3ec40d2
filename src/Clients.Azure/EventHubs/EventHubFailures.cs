using System.Net.Sockets;
using System.Runtime.Serialization;
using Azure;
using Azure.Identity;
using Azure.Messaging.EventHubs;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Azure.Identity;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>
/// Converts exceptions of the packages to the exception of the clients. Everything on one connection shares it: the time that the event hub is unreachable is
/// counted over all operations.
/// </summary>
internal sealed class EventHubFailures
{
    private readonly RetryOptions retry;
    private readonly TimeProvider timeProvider;
    private readonly string host;
    private readonly Outage outage;
    private readonly FirstConnectionProbe first;

    /// <param name="server">Host and port.</param>
    /// <param name="retry">Has the limit of the time that the service may be unreachable.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="notice">Called with a line when connections have failed for a second. Null reports nothing.</param>
    public EventHubFailures(string server, RetryOptions retry, TimeProvider timeProvider, Action<string>? notice)
    {
        (this.retry, this.timeProvider) = (retry, timeProvider);
        host = $"event hubs {server}";
        outage = new Outage(retry, timeProvider, server, notice);
        first = new FirstConnectionProbe(server, outage, timeProvider);
    }

    /// <summary>Runs an operation of the package. Its failures become <see cref="MessagingException"/>.</summary>
    /// <param name="entity">The entity of the operation.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="cancellationToken">The caller's token. Its cancellation is not a failure.</param>
    public async Task<T> RunAsync<T>(string entity, Func<Task<T>> operation, CancellationToken cancellationToken)
    {
        var started = timeProvider.GetTimestamp();
        try
        {
            var result = await first.WatchAsync(operation(), cancellationToken).ConfigureAwait(false);
            outage.Over();
            return result;
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw Of(exception, entity, started);
        }
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    public Task RunAsync(string entity, Func<Task> operation, CancellationToken cancellationToken) =>
        RunAsync(
            entity,
            async () =>
            {
                await operation().ConfigureAwait(false);
                return true;
            },
            cancellationToken
        );

    /// <summary>Waits for a running operation. Until the first answer, a server that refuses connections is reported.</summary>
    public Task WatchAsync(Task operation, CancellationToken cancellationToken)
    {
        return first.WatchAsync(EndedAsync(), cancellationToken);

        async Task<bool> EndedAsync()
        {
            await operation.ConfigureAwait(false);
            return true;
        }
    }

    /// <summary>The failure of an operation that ends now.</summary>
    public MessagingException EndedNow(Exception exception, string entity) => Of(exception, entity, timeProvider.GetTimestamp());

    /// <summary>The exception for the caller. A <see cref="MessagingException"/> is returned unchanged.</summary>
    public static MessagingException Of(Exception exception, string entity) =>
        exception switch
        {
            MessagingException known => known,
            AggregateException { InnerException: { } first } => Of(first, entity),

            // An exception of our checkpoint store, thrown inside the package.
            EventHubsException { InnerException: MessagingException known } => known,
            EventHubsException failed => OfHub(failed, entity),
            AuthenticationFailedException noToken => EntraId.NoToken(entity, noToken),
            UnauthorizedAccessException => new MessagingException(FailureKind.Unauthorized, $"not authorized for {entity}", exception),
            RequestFailedException refused => OfStorage(refused),
            SerializationException lost => new MessagingException(
                FailureKind.Permanent,
                $"{entity}: an event has an application property that the package does not carry: {PackageFailures.FirstLine(lost.Message)}",
                lost
            ),
            // The name of an argument that no caller of ours gives: the package has failed to convert what it received.
            ArgumentException { ParamName: not null } odd => new MessagingException(
                FailureKind.Permanent,
                $"{entity}: an event that the package cannot read: {PackageFailures.FirstLine(odd.Message)}",
                odd
            ),
            SocketException or IOException => new MessagingException(FailureKind.Unconnected, $"{entity}: {exception.Message}", exception),
            TimeoutException or OperationCanceledException => new MessagingException(FailureKind.Transient, $"{entity}: no answer in time", exception),
            _ => new MessagingException(FailureKind.Permanent, $"{entity}: {exception.Message}", exception),
        };

    // The last of several tries counts, however deep its exception is wrapped.
    private MessagingException Of(Exception exception, string entity, long started)
    {
        if (exception is TimeoutException or OperationCanceledException)
        {
            return new MessagingException(FailureKind.Transient, $"{entity}: no answer from {host} in time", exception);
        }

        var failure = Of(exception, entity);
        var error = PackageFailures.GetConnectError(exception);
        if (error is null && failure.Kind != FailureKind.Unconnected)
        {
            return failure;
        }

        return outage.Failed(started, exception) > TimeSpan.Zero
            ? new MessagingException(FailureKind.Unconnected, $"no connection to {host} ({error ?? PackageFailures.FirstLine(exception.Message)})", exception)
            : new MessagingException(
                FailureKind.Unreachable,
                $"{host} unreachable for {retry.UnreachableLimit.TotalSeconds:0.###} s{Outage.GetLastingCause(exception)}",
                exception
            );
    }

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
        var text = kind == FailureKind.NotFound ? $"{entity} not found" : $"{entity}: {PackageFailures.FirstLine(failed.Message)}";
        return new MessagingException(kind, text, failed) { Condition = failed.Reason.ToString() };
    }

    // Failures of the checkpoint store's container.
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
        return new MessagingException(kind, $"checkpoint store: {refused.ErrorCode ?? PackageFailures.FirstLine(refused.Message)}", refused)
        {
            Condition = refused.ErrorCode,
        };
    }
}
