namespace EventHubThroughput.Amqp;

/// <content>Credit that the peer grants.</content>
public sealed partial class AmqpSender
{
    // Guarded by the connection's lock.
    private readonly List<TaskCompletionSource> _creditWaiters = [];
    private uint _credit;
    private long _grantsWhenEmpty;

    /// <summary>How many messages the peer accepts now.</summary>
    public uint Credit
    {
        get
        {
            lock (Gate)
            {
                return _credit;
            }
        }
    }

    /// <summary>How often the peer granted credit while there was none.</summary>
    public long GrantsWhenEmpty
    {
        get
        {
            lock (Gate)
            {
                return _grantsWhenEmpty;
            }
        }
    }

    /// <summary>Completes when there is credit.</summary>
    /// <exception cref="AmqpException">The link, session or connection has ended.</exception>
    public async ValueTask WaitForCreditAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource waiter;
        lock (Gate)
        {
            ThrowIfOver();
            if (_credit > 0)
            {
                return;
            }

            waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _creditWaiters.Add(waiter);
        }

        try
        {
            await waiter.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // A link may lose its credit again and again.
            lock (Gate)
            {
                _creditWaiters.Remove(waiter);
            }

            throw;
        }
    }

    /// <summary>How many wait for credit.</summary>
    internal int CreditWaiters
    {
        get
        {
            lock (Gate)
            {
                return _creditWaiters.Count;
            }
        }
    }
}
