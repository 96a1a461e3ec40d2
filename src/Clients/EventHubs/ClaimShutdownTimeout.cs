namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Lets a claim that is on its way when the processor is stopped come to its end, for 2 seconds at most: cut off it may have been
/// stored, and without its version the ownership cannot be given up.
/// </summary>
internal sealed class ClaimShutdownTimeout : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    private readonly CancellationTokenSource claims;
    private readonly CancellationTokenRegistration stopped;

    /// <summary>Begins to wait for the stop.</summary>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="stop">Cancelled when the processor is stopped.</param>
    public ClaimShutdownTimeout(TimeProvider timeProvider, CancellationToken stop)
    {
        claims = new CancellationTokenSource(Timeout.InfiniteTimeSpan, timeProvider);
        stopped = stop.UnsafeRegister(static state => ((CancellationTokenSource)state!).CancelAfter(Limit), claims);
    }

    /// <summary>Cancelled when the time after the stop is over.</summary>
    public CancellationToken Token => claims.Token;

    /// <summary>Forgets the stop.</summary>
    public void Dispose()
    {
        stopped.Dispose();
        claims.Dispose();
    }
}
