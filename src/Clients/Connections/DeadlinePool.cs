using System.Collections.Concurrent;

namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// Time limits for tries, without a new timer for each: a source that was not cancelled is used again. May be used concurrently.
/// </summary>
internal sealed class DeadlinePool(TimeProvider timeProvider)
{
    private const int Kept = 1024;

    private readonly ConcurrentBag<CancellationTokenSource> idle = [];

    /// <summary>Starts a limit; the token is cancelled at its end or by <paramref name="cancellationToken"/>.</summary>
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
    internal readonly struct Deadline(DeadlinePool pool, CancellationTokenSource source, CancellationTokenRegistration registration) : IDisposable
    {
        public CancellationToken Token => source.Token;

        public void Dispose()
        {
            // First the registration: afterwards nobody else can cancel the source.
            registration.Dispose();
            pool.Return(source);
        }
    }
}
