using Azure.Messaging.EventHubs;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>
/// Calls that only read from the event hub. The package fails after its own retries. A call is then repeated, because it changes nothing: without a connection
/// until the limit of <see cref="RetryOptions.UnreachableLimit"/>, without an answer until that of <see cref="RetryOptions.OperationTimeout"/>.
/// </summary>
/// <param name="entity">The event hub, for errors.</param>
/// <param name="host">The service with host and port, for the log.</param>
/// <param name="failures">Converts the exceptions of the package.</param>
/// <param name="retry">Has the limits.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="log">Each failure without a connection is logged.</param>
internal sealed class HubQueries(string entity, string host, EventHubFailures failures, RetryOptions retry, TimeProvider timeProvider, ILogger log)
{
    public async Task<T> AskAsync<T>(Func<CancellationToken, Task<T>> ask, CancellationToken cancellationToken)
    {
        var started = timeProvider.GetTimestamp();
        while (true)
        {
            try
            {
                return await failures.RunAsync(entity, () => ask(cancellationToken), cancellationToken).ConfigureAwait(false);
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.Unconnected)
            {
                Log.ConnectFailed(log, host, retry.MaximumDelay, failure);
                await Task.Delay(retry.MaximumDelay, timeProvider, cancellationToken).ConfigureAwait(false);
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.Unreachable)
            {
                Log.Unreachable(log, host, retry.UnreachableLimit, failure);
                throw;
            }
            catch (MessagingException failure) when (HasNoAnswer(failure) && IsRepeated(timeProvider.GetElapsedTime(started)))
            {
                // A thread pool without a free thread lets the time of the package expire, too.
                await Task.Delay(retry.MaximumDelay, timeProvider, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    // Without retries the caller repeats.
    private bool IsRepeated(TimeSpan elapsed) => retry.MaximumRetries > 0 && elapsed < retry.OperationTimeout;

    private static bool HasNoAnswer(MessagingException failure) =>
        failure.InnerException is TimeoutException or OperationCanceledException
        || failure.InnerException is EventHubsException { Reason: EventHubsException.FailureReason.ServiceTimeout };
}
