using EventHubThroughput.Pump.Lifetime;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>
/// The right to redrive one dead letter, for a time that began before the claim was stored. So another process that watches the claim from the moment it is
/// visible sees it end later than its owner does.
/// </summary>
internal sealed class DeadLetterClaim : IWriteOwner, IDisposable
{
    private readonly long started;
    private readonly TimeSpan limit;
    private readonly TimeProvider timeProvider;
    private readonly CancellationTokenSource time;
    private readonly CancellationTokenSource writes;

    /// <param name="limit">Its duration from now on.</param>
    /// <param name="stop">The stop that cancels the writes.</param>
    /// <param name="timeProvider">The clock.</param>
    public DeadLetterClaim(TimeSpan limit, ProcessingStop stop, TimeProvider timeProvider)
    {
        started = timeProvider.GetTimestamp();
        this.limit = limit;
        this.timeProvider = timeProvider;
        time = new CancellationTokenSource(limit, timeProvider);
        writes = CancellationTokenSource.CreateLinkedTokenSource(time.Token, stop.Cut);
        Writes = writes.Token;
    }

    /// <inheritdoc/>
    public CancellationToken Writes { get; }

    /// <inheritdoc/>
    /// <remarks>After a suspension of the process the time has expired before its timers fire.</remarks>
    public ValueTask EnsureOwnedAsync() =>
        timeProvider.GetElapsedTime(started) >= limit || Writes.IsCancellationRequested
            ? ValueTask.FromException(new OperationCanceledException("the claim has expired", Writes))
            : ValueTask.CompletedTask;

    public void Dispose()
    {
        writes.Dispose();
        time.Dispose();
    }
}
