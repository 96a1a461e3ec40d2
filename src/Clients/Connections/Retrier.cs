namespace EventHubThroughput.Clients.Connections;

/// <summary>Tries operations again after transient errors, with waits that double and are random (full jitter). May be used concurrently.</summary>
/// <param name="host">Host and port of the service, for messages.</param>
/// <param name="options">How often and how long.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="seed">Of the random waits; null for another one each time.</param>
internal sealed class Retrier(string host, RetryOptions options, TimeProvider timeProvider, int? seed)
{
    private readonly Lock gate = new();
    private readonly Random random = seed is { } value ? new Random(value) : new Random();

    public string Host => host;

    public RetryOptions Options => options;

    public TimeProvider TimeProvider => timeProvider;

    public DeadlinePool Deadlines { get; } = new(timeProvider);

    /// <summary>Runs an operation until it succeeds, fails for good, or retries and time are used up.</summary>
    /// <param name="state">Handed to each try, so that no closure is needed.</param>
    /// <param name="attempt">One try; its token is cancelled at the try's time-out.</param>
    /// <param name="entity">What the operation is about.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<TResult> RunAsync<TState, TResult>(
        TState state,
        Func<TState, CancellationToken, ValueTask<TResult>> attempt,
        EntityLabel entity,
        CancellationToken cancellationToken
    )
    {
        long started = timeProvider.GetTimestamp();
        for (int retry = 0; ; )
        {
            MessagingException failure;
            TimeSpan left = options.OperationTimeout - timeProvider.GetElapsedTime(started);
            DeadlinePool.Deadline deadline = Deadlines.Start(Shorter(options.TryTimeout, left), cancellationToken);
            try
            {
                return await attempt(state, deadline.Token).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
            {
                failure = Failures.Of(exception, entity, host);
            }
            finally
            {
                deadline.Dispose();
            }

            if (failure.IsTransient)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            TimeSpan delay = NextDelay(retry);
            if (failure.Kind == FailureKind.Unconnected && options.MaximumRetries > 0)
            {
                // Nothing was tried yet; the connection says when it has waited long enough.
                started = timeProvider.GetTimestamp();
            }
            else if (!failure.IsTransient || retry++ >= options.MaximumRetries || timeProvider.GetElapsedTime(started) + delay >= options.OperationTimeout)
            {
                throw failure;
            }

            await Task.Delay(delay, timeProvider, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The wait before a retry; <paramref name="retry"/> counts from 0.</summary>
    public TimeSpan NextDelay(int retry)
    {
        lock (gate)
        {
            return options.DelayOf(retry, random.NextDouble());
        }
    }

    private static TimeSpan Shorter(TimeSpan first, TimeSpan second)
    {
        TimeSpan shorter = first < second ? first : second;
        return shorter > TimeSpan.Zero ? shorter : TimeSpan.FromMilliseconds(1);
    }
}
