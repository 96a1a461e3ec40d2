namespace EventHubThroughput.Sender.Sending;

/// <summary>Ends a sending in two steps. A signal or a failure stops further sends. After the grace period the sends in flight are cancelled too.</summary>
internal sealed class SendHalt : IDisposable
{
    private readonly CancellationTokenSource halt;
    private readonly CancellationTokenSource abort = new();
    private readonly ITimer grace;
    private readonly CancellationTokenRegistration starting;

    public SendHalt(TimeSpan grace, TimeProvider timeProvider, CancellationToken stop)
    {
        halt = CancellationTokenSource.CreateLinkedTokenSource(stop);
        this.grace = timeProvider.CreateTimer(_ => abort.Cancel(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        starting = halt.Token.Register(() => this.grace.Change(grace, Timeout.InfiniteTimeSpan));
    }

    /// <summary>Stops further sends.</summary>
    public CancellationToken Stop => halt.Token;

    /// <summary>Cancels the sends in flight.</summary>
    public CancellationToken Abort => abort.Token;

    /// <summary>Reports a failure and stops the rest as a signal would.</summary>
    public void Fail() => halt.Cancel();

    public void Dispose()
    {
        starting.Dispose();
        grace.Dispose();
        halt.Dispose();
        abort.Dispose();
    }
}
