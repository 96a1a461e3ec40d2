namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The longest pause of the garbage collector. An unreferenced object is finalized after each collection. Its finalizer asks how long the collection took and
/// creates the next such object. So no listener is needed. A collection is missed only if another one follows before the finalizer has run.
/// </summary>
internal sealed class CollectorPauses : IDisposable
{
    private readonly Lock gate = new();
    private TimeSpan longest;
    private volatile bool ended;

    public CollectorPauses() => Watch();

    /// <summary>The longest since the last reading. Null where there was none. The next one begins with this.</summary>
    public TimeSpan? TakeLongest()
    {
        lock (gate)
        {
            var taken = longest;
            longest = TimeSpan.Zero;
            return taken > TimeSpan.Zero ? taken : null;
        }
    }

    public void Dispose() => ended = true;

#pragma warning disable CA1806 // The object is made to be forgotten.
    private void Watch() => new Beat(this);
#pragma warning restore CA1806

    private void Collected()
    {
        foreach (var pause in GC.GetGCMemoryInfo(GCKind.Any).PauseDurations)
        {
            lock (gate)
            {
                longest = pause > longest ? pause : longest;
            }
        }

        if (!ended)
        {
            Watch();
        }
    }

    private sealed class Beat(CollectorPauses pauses)
    {
#pragma warning disable MA0055 // To be finalized is what it is for.
        ~Beat()
#pragma warning restore MA0055
        {
            // At the end of the process the pause is not recorded any more.
            if (!Environment.HasShutdownStarted)
            {
                pauses.Collected();
            }
        }
    }
}
