namespace EventHubThroughput.Testing;

/// <summary>A synchronization context as that of a user interface: it is in force for single calls, and counts what comes back to it.</summary>
public sealed class CountedContext : SynchronizationContext
{
    private int posts;

    public int Posts => Volatile.Read(ref posts);

    /// <summary>Makes a call under the context, and leaves the thread as it was.</summary>
    public T Call<T>(Func<T> call)
    {
        var before = Current;
        SetSynchronizationContext(this);
        try
        {
            return call();
        }
        finally
        {
            SetSynchronizationContext(before);
        }
    }

    public override void Post(SendOrPostCallback d, object? state)
    {
        Interlocked.Increment(ref posts);
        ThreadPool.QueueUserWorkItem(_ => d(state));
    }
}
