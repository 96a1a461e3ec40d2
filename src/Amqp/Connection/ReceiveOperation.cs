using System.Threading.Tasks.Sources;

namespace EventHubThroughput.Amqp;

/// <summary>A caller that waits for a message. The wait is this object itself, which is used again for later ones.</summary>
internal sealed class ReceiveOperation(AmqpReceiver receiver) : IValueTaskSource<IncomingDelivery>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<IncomingDelivery> _wait;
    private CancellationTokenRegistration _cancellation;
    private IncomingDelivery? _delivery;
    private Exception? _failure;

    /// <summary>The wait. At most once per use.</summary>
    public ValueTask<IncomingDelivery> WaitAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
        {
            _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((ReceiveOperation)state!).Withdraw(token), this);
        }

        return new ValueTask<IncomingDelivery>(this, _wait.Version);
    }

    /// <summary>Completes the wait with a message. Under the connection's lock. No other completion may follow.</summary>
    public void Complete(IncomingDelivery delivery)
    {
        _delivery = delivery;
        receiver.Session.Connection.ContinuationQueue.Add(this);
    }

    /// <summary>Fails the wait. As <see cref="Complete"/>.</summary>
    public void Fail(Exception failure)
    {
        _failure = failure;
        receiver.Session.Connection.ContinuationQueue.Add(this);
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_delivery is not null)
        {
            _wait.SetResult(_delivery);
        }
        else
        {
            _wait.SetException(_failure!);
        }
    }

    IncomingDelivery IValueTaskSource<IncomingDelivery>.GetResult(short token)
    {
        // A token of an earlier wait throws here, before anything is returned. Afterwards no withdrawal is possible.
        if (_wait.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("The message is not there yet.");
        }

        _cancellation.Dispose();
        try
        {
            return _wait.GetResult(token);
        }
        finally
        {
            _cancellation = default;
            _delivery = null;
            _failure = null;
            _wait.Reset();
            receiver.Keep(this);
        }
    }

    ValueTaskSourceStatus IValueTaskSource<IncomingDelivery>.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource<IncomingDelivery>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);

    private void Withdraw(CancellationToken cancellationToken) => receiver.Withdraw(this, cancellationToken);
}
