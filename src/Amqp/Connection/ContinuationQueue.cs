using System.Diagnostics;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Callers whose wait has ended. They resume in the thread pool, in their order, so that their code never runs under the lock or before waiting frames. If a
/// read answers exactly one caller, that caller is kept until the read loop waits for the next read. Then the loop no longer needs its thread, and the caller
/// runs there (<see cref="InlineContinuationRead"/>) without waking another thread.
/// </summary>
internal sealed class ContinuationQueue(Lock gate)
{
    // Guarded by the connection's lock.
    private bool _isGathering;
    private IThreadPoolWorkItem? _alone;

    /// <summary>Resumes a caller. Under the lock.</summary>
    public void Add(IThreadPoolWorkItem caller)
    {
        Debug.Assert(gate.IsHeldByCurrentThread, "the connection's lock is held");
        if (_isGathering && _alone is null)
        {
            _alone = caller;
            return;
        }

        // Two callers can run concurrently.
        Release();
        Queue(caller);
    }

    /// <summary>Keeps no caller for the rest of a read. Under the lock.</summary>
    public void Release()
    {
        Debug.Assert(gate.IsHeldByCurrentThread, "the connection's lock is held");
        _isGathering = false;
        Queue(_alone);
        _alone = null;
    }

    /// <summary>Call before the frames of a read are processed.</summary>
    public void BeginRead()
    {
        lock (gate)
        {
            _isGathering = true;
        }
    }

    /// <summary>Call after the frames of a read were processed.</summary>
    /// <param name="lends">Whether the read loop has a thread to lend. If it has none, the caller resumes in the thread pool.</param>
    /// <returns>The only caller that was answered, which the read loop resumes. Null if there is none.</returns>
    public IThreadPoolWorkItem? EndRead(bool lends)
    {
        lock (gate)
        {
            if (!lends)
            {
                Release();
                return null;
            }

            var alone = _alone;
            _isGathering = false;
            _alone = null;
            return alone;
        }
    }

    /// <summary>Resumes a caller, if there is one, in the thread pool.</summary>
    public static void Queue(IThreadPoolWorkItem? caller)
    {
        if (caller is not null)
        {
            ThreadPool.UnsafeQueueUserWorkItem(caller, preferLocal: false);
        }
    }
}
