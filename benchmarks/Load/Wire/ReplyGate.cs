using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Wire;

/// <summary>Lets one request end for each reply. A reply that does not come in time is an error.</summary>
internal sealed class ReplyGate : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly SemaphoreSlim replies = new(0);

    public void Release() => replies.Release();

    /// <exception cref="FailureException">No reply came.</exception>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        if (!await replies.WaitAsync(Limit, cancellationToken))
        {
            throw new FailureException(FailureCause.Verification, $"no reply in {Limit.TotalSeconds:0} s");
        }
    }

    public void Dispose() => replies.Dispose();
}
