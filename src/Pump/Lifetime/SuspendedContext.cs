namespace EventHubThroughput.Pump.Lifetime;

/// <summary>
/// Takes the synchronization context of a caller (the thread of a user interface) out of force, so that nothing that the library awaits comes
/// back to it. A task scheduler stays in force, which <c>ConfigureAwait(false)</c> would leave: strategies stay on that of their caller.
/// </summary>
internal readonly ref struct SuspendedContext : IDisposable
{
    private readonly SynchronizationContext? suspended;

    private SuspendedContext(SynchronizationContext suspended)
    {
        this.suspended = suspended;
        SynchronizationContext.SetSynchronizationContext(null);
    }

    /// <summary>Suspends the context of this thread until it is disposed of. What begins meanwhile must be returned, not awaited.</summary>
    public static SuspendedContext Enter() => SynchronizationContext.Current is { } current ? new SuspendedContext(current) : default;

    public void Dispose()
    {
        if (suspended is not null)
        {
            SynchronizationContext.SetSynchronizationContext(suspended);
        }
    }
}
