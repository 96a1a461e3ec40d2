namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>The waits of a processor between tries: none is given up by the clock, only by their number. May be used concurrently.</summary>
internal sealed class ReceiveRetryPolicy(RetryOptions options, TimeProvider timeProvider, int? seed)
{
    private readonly Lock gate = new();
    private readonly Random random = seed is { } value ? new Random(value) : new Random();

    /// <summary>Whether a try with that end is one of those that are counted: one without a connection is not, the connection says when it is enough.</summary>
    public static bool Counts(MessagingException failure) => failure.Kind != FailureKind.Unconnected;

    /// <summary>Waits before the next try. False at once when there is none.</summary>
    /// <param name="failure">How the last one ended.</param>
    /// <param name="retry">How many retries went before.</param>
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
