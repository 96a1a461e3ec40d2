using System.Runtime.CompilerServices;
using EventHubThroughput.Events.Pooling;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Retries operations after transient errors. The waits double and are random (full jitter). May be used concurrently.</summary>
/// <param name="host">Host and port of the service, for messages.</param>
/// <param name="options">The retry policy.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="seed">The seed of the random waits. Null for another one each time.</param>
/// <param name="log">Logs failures that do not reach a caller. Null logs nothing.</param>
internal sealed class Retrier(string host, RetryOptions options, TimeProvider timeProvider, int? seed, ILogger? log = null)
{
    private readonly Lock gate = new();
    private readonly Random random = seed is { } value ? new Random(value) : new Random();

    public string Host => host;

    public ILogger Log { get; } = log ?? NullLogger.Instance;

    public RetryOptions Options => options;

    public TimeProvider TimeProvider => timeProvider;

    public DeadlinePool Deadlines { get; } = new(timeProvider);

    /// <summary>Runs an operation until it succeeds, fails for good, or retries and time are used up.</summary>
    /// <param name="state">Passed to each try, so that no closure is needed.</param>
    /// <param name="attempt">One try. Its token is cancelled at the try's time-out.</param>
    /// <param name="entity">The entity of the operation.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<TResult> RunAsync<TState, TResult>(
        TState state,
        Func<TState, CancellationToken, ValueTask<TResult>> attempt,
        EntityLabel entity,
        CancellationToken cancellationToken
    ) =>
        options.MaximumRetries == 0
            ? TryAsync(state, attempt, entity, options.OperationTimeout, cancellationToken)
            : RepeatAsync(state, attempt, entity, cancellationToken);

    // One try within its time-out.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private async ValueTask<TResult> TryAsync<TState, TResult>(
        TState state,
        Func<TState, CancellationToken, ValueTask<TResult>> attempt,
        EntityLabel entity,
        TimeSpan left,
        CancellationToken cancellationToken
    )
    {
        using var deadline = Deadlines.Start(Shorter(options.TryTimeout, left), cancellationToken);
        try
        {
            return await attempt(state, deadline.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            var failure = Failures.Of(exception, entity, host);
            if (failure.IsTransient)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            throw failure;
        }
    }

    // Pooled as well: for callers that leave retries to the clients.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private async ValueTask<TResult> RepeatAsync<TState, TResult>(
        TState state,
        Func<TState, CancellationToken, ValueTask<TResult>> attempt,
        EntityLabel entity,
        CancellationToken cancellationToken
    )
    {
        var started = timeProvider.GetTimestamp();
        for (var retry = 0; ; )
        {
            MessagingException failure;
            try
            {
                var left = options.OperationTimeout - timeProvider.GetElapsedTime(started);
                return await TryAsync(state, attempt, entity, left, cancellationToken).ConfigureAwait(false);
            }
            catch (MessagingException failed)
            {
                failure = failed;
            }

            var delay = NextDelay(retry);
            ReportRetry(entity, failure, retry, delay);
            if (failure.Kind == FailureKind.Unconnected)
            {
                // Nothing was tried yet. The connection throws when it has waited long enough.
                started = timeProvider.GetTimestamp();
            }
            else if (!failure.IsTransient || retry++ >= options.MaximumRetries || timeProvider.GetElapsedTime(started) + delay >= options.OperationTimeout)
            {
                throw failure;
            }

            await Task.Delay(delay, timeProvider, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The wait before a retry. <paramref name="retry"/> counts from 0.</summary>
    public TimeSpan NextDelay(int retry)
    {
        lock (gate)
        {
            return options.DelayOf(retry, random.NextDouble());
        }
    }

    private void ReportRetry(EntityLabel entity, MessagingException failure, int retry, TimeSpan delay)
    {
        if (!failure.IsTransient)
        {
            return;
        }

        if (failure.Kind != FailureKind.Unconnected && retry >= options.MaximumRetries)
        {
            Clients.Log.TriesUsedUp(Log, entity.ToString(), retry + 1, failure);
        }
        else if (failure.Kind == FailureKind.Throttled)
        {
            Clients.Log.Throttled(Log, entity.ToString(), delay, failure);
        }
        else if (Log.IsEnabled(LogLevel.Debug))
        {
            Clients.Log.TryFailed(Log, entity.ToString(), retry + 1, delay, failure);
        }
    }

    private static TimeSpan Shorter(TimeSpan first, TimeSpan second)
    {
        var shorter = first < second ? first : second;
        return shorter > TimeSpan.Zero ? shorter : TimeSpan.FromMilliseconds(1);
    }
}
