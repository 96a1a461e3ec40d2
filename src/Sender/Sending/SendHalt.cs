namespace EventHubThroughput.Sender.Sending;

/// <summary>Ends a sending in two steps: no further sends, by a signal or a failure, and after the grace none that is under way either.</summary>
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

    /// <summary>Start nothing more.</summary>
    public CancellationToken Stop => halt.Token;

    /// <summary>Give up what is under way.</summary>
    public CancellationToken Abort => abort.Token;

    /// <summary>Something has failed: stops the rest as a signal would.</summary>
    public void Fail() => halt.Cancel();

    public void Dispose()
    {
        starting.Dispose();
        grace.Dispose();
        halt.Dispose();
        abort.Dispose();
    }
}
