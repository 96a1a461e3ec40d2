using System.Diagnostics;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Callers whose wait is over. They go on in the thread pool, in their order, so that their code never runs where the lock is held or frames
/// wait to be read. One whom the frames of a read have answered alone is kept until the read loop has begun to wait for the next read: then
/// nothing needs its thread any more, and he can have it (<see cref="LendingRead"/>) without another being woken.
/// </summary>
internal sealed class ContinuationQueue(Lock gate)
{
    // Guarded by the connection's lock.
    private bool _isGathering;
    private IThreadPoolWorkItem? _alone;

    /// <summary>Lets a caller go on. Under the lock.</summary>
    public void Add(IThreadPoolWorkItem caller)
    {
        Debug.Assert(gate.IsHeldByCurrentThread, "the connection's lock is held");
        if (_isGathering && _alone is null)
        {
            _alone = caller;
            return;
        }

        // Two can go on beside each other.
        Release();
        Queue(caller);
    }

    /// <summary>Keeps nobody for the rest of a read. Under the lock.</summary>
    public void Release()
    {
        Debug.Assert(gate.IsHeldByCurrentThread, "the connection's lock is held");
        _isGathering = false;
        Queue(_alone);
        _alone = null;
    }

    /// <summary>The frames of a read are about to be taken.</summary>
    public void BeginRead()
    {
        lock (gate)
        {
            _isGathering = true;
        }
    }

    /// <summary>The frames of a read have been taken.</summary>
    /// <param name="lends">Whether the read loop has a thread to lend to who was answered alone. He goes on in the thread pool if it has not.</param>
    /// <returns>Who was answered alone, for the read loop to let go on.</returns>
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

    /// <summary>Lets a caller, if there is one, go on in the thread pool.</summary>
    public static void Queue(IThreadPoolWorkItem? caller)
    {
        if (caller is not null)
        {
            ThreadPool.UnsafeQueueUserWorkItem(caller, preferLocal: false);
        }
    }
}
