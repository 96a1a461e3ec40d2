namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// How long an ownership is surely ours: until another processor could take it for expired. A process that was stopped finds more time
/// gone than it has lived through. The monotonic clock tells that, and the wall clock where the machine itself has slept. May be used
/// from several threads.
/// </summary>
internal sealed class OwnershipLease
{
    // The store dates ownerships in whole seconds: others may see one expire so much earlier.
    private static readonly TimeSpan StoreResolution = TimeSpan.FromSeconds(1);

    private readonly TimeProvider timeProvider;
    private readonly TimeSpan sure;
    private volatile Moment renewed;

    /// <summary>Begins as renewed just now.</summary>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="expiry">How long after its last renewal others take the ownership for expired.</param>
    public OwnershipLease(TimeProvider timeProvider, TimeSpan expiry)
    {
        this.timeProvider = timeProvider;
        sure = expiry - StoreResolution > expiry / 2 ? expiry - StoreResolution : expiry / 2;
        renewed = Now();
    }

    /// <summary>Whether others may take the ownership for expired, so that nobody knows without asking the store whose it is.</summary>
    public bool MayHaveExpired
    {
        get
        {
            var since = renewed;
            return timeProvider.GetElapsedTime(since.Timestamp) >= sure || timeProvider.GetUtcNow() - since.Wall >= sure;
        }
    }

    /// <summary>This moment, to be given to <see cref="Renewed"/> when a request that begins now has succeeded.</summary>
    public Moment Now() => new(timeProvider.GetTimestamp(), timeProvider.GetUtcNow());

    /// <summary>The store has confirmed the ownership by a request that began at that moment.</summary>
    public void Renewed(Moment began) => renewed = began;

    /// <summary>How long ago the last renewal began, by the monotonic clock.</summary>
    public TimeSpan Age => timeProvider.GetElapsedTime(renewed.Timestamp);

    /// <summary>A moment by both clocks.</summary>
    internal sealed record Moment(long Timestamp, DateTimeOffset Wall);
}
