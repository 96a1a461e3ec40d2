using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting.Health;

/// <summary>The state of the hosted processing for the health check. Any member may be called from any thread.</summary>
internal sealed class ProcessingState(TimeProvider timeProvider)
{
    private readonly Lock gate = new();
    private int owned;
    private long ownedNoneSince;

    /// <summary>The processing while it runs, and after it.</summary>
    public EventHubProcessing? Processing { get; private set; }

    /// <summary>The fault that ended it. Null while there is none.</summary>
    public string? Fault { get; private set; }

    /// <summary>How long no partition has been owned. Zero while one is.</summary>
    public TimeSpan OwnedNoneFor
    {
        get
        {
            lock (gate)
            {
                return owned > 0 || Processing is null ? TimeSpan.Zero : timeProvider.GetElapsedTime(ownedNoneSince);
            }
        }
    }

    public void Start(EventHubProcessing processing)
    {
        lock (gate)
        {
            ownedNoneSince = timeProvider.GetTimestamp();
            Processing = processing;
        }
    }

    public void Taken()
    {
        lock (gate)
        {
            owned++;
        }
    }

    public void Ended()
    {
        lock (gate)
        {
            owned--;
            ownedNoneSince = timeProvider.GetTimestamp();
        }
    }

    public void Fail(string fault) => Fault = fault;
}
