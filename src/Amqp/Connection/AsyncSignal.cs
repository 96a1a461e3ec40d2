using System.Threading.Tasks.Sources;

namespace EventHubThroughput.Amqp;

/// <summary>
/// A signal for one waiter. Set any number of times, it wakes the waiter once, which resets the signal. The waiter runs after earlier work items of the
/// thread pool. With <see cref="SetHere"/> it runs on the caller's thread instead.
/// </summary>
internal sealed class AsyncSignal : IValueTaskSource, IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private ManualResetValueTaskSourceCore<bool> _source;
    private bool _set;
    private bool _waiting;
    private int _lender;

    // Whether the thread pool is to wake the waiter: 0 or 1. A caller of <c>SetHere</c> in the meantime is quicker.
    private int _isQueued;

    public void Set()
    {
        lock (_gate)
        {
            if (!_waiting)
            {
                _set = true;
                return;
            }

            _waiting = false;
        }

        Enqueue();
    }

    /// <summary>Sets the signal and runs the waiter on this thread until it waits again, for any operation. Then the call returns.</summary>
    public void SetHere()
    {
        lock (_gate)
        {
            if (!_waiting && Interlocked.Exchange(ref _isQueued, 0) == 0)
            {
                _set = true;
                return;
            }

            _waiting = false;
            _lender = Environment.CurrentManagedThreadId;
        }

        _source.SetResult(true);
        lock (_gate)
        {
            if (_lender == Environment.CurrentManagedThreadId)
            {
                _lender = 0;
            }
        }
    }

    public ValueTask WaitAsync()
    {
        lock (_gate)
        {
            if (_set)
            {
                _set = false;
                if (_lender != Environment.CurrentManagedThreadId)
                {
                    return ValueTask.CompletedTask;
                }

                // What was set in the meantime does not run on the lender's thread.
                _source.Reset();
                Enqueue();
            }
            else
            {
                _waiting = true;
                _source.Reset();
            }

            return new ValueTask(this, _source.Version);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (Interlocked.Exchange(ref _isQueued, 0) != 0)
        {
            _source.SetResult(true);
        }
    }

    void IValueTaskSource.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    private void Enqueue()
    {
        Volatile.Write(ref _isQueued, 1);
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }
}
