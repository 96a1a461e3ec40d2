namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>The waits of a processor between tries. Only their number limits them, not time. May be used concurrently.</summary>
internal sealed class ReceiveRetryPolicy(RetryOptions options, TimeProvider timeProvider, int? seed)
{
    private readonly Lock gate = new();
    private readonly Random random = seed is { } value ? new Random(value) : new Random();

    /// <summary>Whether a failed try counts. A try without a connection does not: the connection reports when its limit has expired.</summary>
    public static bool Counts(MessagingException failure) => failure.Kind != FailureKind.Unconnected;

    /// <summary>Waits before the next try. Returns false immediately when there is none.</summary>
    /// <param name="failure">The failure of the last try.</param>
    /// <param name="retry">The number of retries before.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<bool> WaitAsync(MessagingException failure, int retry, CancellationToken cancellationToken)
    {
        if (!failure.IsTransient || options.MaximumRetries == 0 || (Counts(failure) && retry >= options.MaximumRetries))
        {
            return false;
        }

        var delay = NextDelay(retry);
        await Task.Delay(delay > failure.RetryAfter ? delay : failure.RetryAfter, timeProvider, cancellationToken).ConfigureAwait(false);
        return true;
    }

    private TimeSpan NextDelay(int retry)
    {
        lock (gate)
        {
            return options.DelayOf(retry, random.NextDouble());
        }
    }
}
