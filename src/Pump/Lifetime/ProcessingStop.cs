namespace EventHubThroughput.Pump.Lifetime;

/// <summary>
/// The end of processing in two steps. First no event above those begun may begin. When the drain limit has expired, writes still in flight are cancelled.
/// </summary>
internal sealed class ProcessingStop(TimeSpan drainLimit, TimeProvider timeProvider) : IDisposable
{
    private readonly CancellationTokenSource requested = new();
    private readonly CancellationTokenSource cut = new(Timeout.InfiniteTimeSpan, timeProvider);
    private readonly Lock gate = new();

    // Used only under the gate.
    private Task? requesting;

    /// <summary>How long writes in flight may take to finish.</summary>
    public TimeSpan DrainLimit => drainLimit;

    /// <summary>Cancelled when reading stops and no event above those begun may be begun.</summary>
    public CancellationToken Requested => requested.Token;

    /// <summary>Cancelled when the drain limit has expired.</summary>
    public CancellationToken Cut => cut.Token;

    /// <summary>Whether writes were cancelled because a service is unreachable, and not because the limit had expired.</summary>
    public bool ServicesGone { get; private set; }

    /// <summary>Ends all waits immediately because the services are unreachable: writes in flight will get no answer.</summary>
    public async Task CutAsync()
    {
        ServicesGone = true;
        await cut.CancelOnSchedulerAsync();
    }

    /// <summary>Begins the end. Further calls wait for the same beginning and change nothing.</summary>
    public Task RequestAsync()
    {
        lock (gate)
        {
            return requesting ??= BeginAsync();
        }
    }

    public void Dispose()
    {
        requested.Dispose();
        cut.Dispose();
    }

    private Task BeginAsync()
    {
        cut.CancelAfter(drainLimit);
        return requested.CancelOnSchedulerAsync();
    }
}

/// <summary>Cancellation as a separate step on the caller's scheduler.</summary>
internal static class SchedulerCancellation
{
    /// <summary>
    /// Cancels, and completes when all registered callbacks have run. CancelAsync would run them on the thread pool instead of the caller's scheduler, and
    /// Cancel inside the caller.
    /// </summary>
    public static Task CancelOnSchedulerAsync(this CancellationTokenSource source) =>
        Task.Factory.StartNew(source.Cancel, CancellationToken.None, TaskCreationOptions.DenyChildAttach, TaskScheduler.Current);
}
