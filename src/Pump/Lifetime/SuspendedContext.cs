namespace EventHubThroughput.Pump.Lifetime;

/// <summary>
/// Suspends the synchronization context of a caller (such as a user interface thread), so that continuations of the library do not return to it. A task
/// scheduler stays in effect, which <c>ConfigureAwait(false)</c> would leave: strategies stay on that of their caller.
/// </summary>
internal static class SuspendedContext
{
    /// <summary>Starts work without the context of this thread.</summary>
    /// <param name="state">Passed to <paramref name="begin"/>, so that no closure is needed.</param>
    /// <param name="begin">Starts the work and returns its task.</param>
    public static TTask Run<TState, TTask>(TState state, Func<TState, TTask> begin)
    {
        if (SynchronizationContext.Current is not { } current)
        {
            return begin(state);
        }

        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            return begin(state);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(current);
        }
    }
}
