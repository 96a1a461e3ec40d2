using System.Collections.Concurrent;

namespace EventHubThroughput.Clients;

/// <summary>
/// Time limits for tries, without a new timer for each: a source that was not cancelled is used again. May be used concurrently.
/// </summary>
/// <param name="timeProvider">The clock.</param>
public sealed class DeadlinePool(TimeProvider timeProvider)
{
    private const int Kept = 1024;

    private readonly ConcurrentBag<CancellationTokenSource> idle = [];

    /// <summary>Starts a limit; its token is cancelled at its end or by <paramref name="cancellationToken"/>.</summary>
    /// <param name="limit">How long it lasts.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    public Deadline Start(TimeSpan limit, CancellationToken cancellationToken)
    {
        if (!idle.TryTake(out CancellationTokenSource? source))
        {
            source = new CancellationTokenSource(Timeout.InfiniteTimeSpan, timeProvider);
        }

        source.CancelAfter(limit);
        CancellationTokenRegistration registration = cancellationToken.CanBeCanceled
            ? cancellationToken.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), source)
            : default;
        return new Deadline(this, source, registration);
    }

    private void Return(CancellationTokenSource source)
    {
        if (idle.Count < Kept && source.TryReset())
        {
            idle.Add(source);
        }
        else
        {
            source.Dispose();
        }
    }

    /// <summary>A running limit; ends when disposed, which must happen once.</summary>
    public readonly struct Deadline : IDisposable
    {
        private readonly DeadlinePool pool;
        private readonly CancellationTokenSource source;
        private readonly CancellationTokenRegistration registration;

        internal Deadline(DeadlinePool pool, CancellationTokenSource source, CancellationTokenRegistration registration)
        {
            this.pool = pool;
            this.source = source;
            this.registration = registration;
        }

        /// <summary>Cancelled at the end of the limit, or by the caller's token.</summary>
        public CancellationToken Token => source.Token;

        /// <summary>Ends the limit.</summary>
        public void Dispose()
        {
            // First the registration: afterwards nobody else can cancel the source.
            registration.Dispose();
            pool.Return(source);
        }
    }
}
