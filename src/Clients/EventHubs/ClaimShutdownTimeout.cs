namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Lets a claim that is under way when the processor is stopped complete, for at most 2 seconds. A cancelled claim may still have been stored. Without its
/// version the ownership could not be given up.
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

    /// <summary>Cancelled when the time after the stop has expired.</summary>
    public CancellationToken Token => claims.Token;

    public void Dispose()
    {
        stopped.Dispose();
        claims.Dispose();
    }
}
