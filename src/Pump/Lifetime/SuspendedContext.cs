namespace EventHubThroughput.Pump.Lifetime;

/// <summary>
/// Takes the synchronization context of a caller (the thread of a user interface) out of force, so that nothing that the library awaits comes
/// back to it. A task scheduler stays in force, which <c>ConfigureAwait(false)</c> would leave: strategies stay on that of their caller.
/// </summary>
internal static class SuspendedContext
{
    /// <summary>Begins work without the context of this thread.</summary>
    /// <param name="state">Handed to <paramref name="begin"/>, so that no closure is needed.</param>
    /// <param name="begin">Begins the work and returns its task.</param>
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
