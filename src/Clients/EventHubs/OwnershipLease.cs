namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// How long an ownership is certainly ours: until another processor could consider it expired. After a pause of the process more time has passed than it has
/// noticed. The monotonic clock shows that, and the wall clock does so if the machine has slept. May be used from several threads.
/// </summary>
internal sealed class OwnershipLease
{
    // The store dates ownerships in whole seconds, so others may see one expire up to this much earlier.
    private static readonly TimeSpan StoreResolution = TimeSpan.FromSeconds(1);

    private readonly TimeProvider timeProvider;
    private readonly TimeSpan sure;
    private volatile Moment renewed;

    /// <summary>Begins as renewed just now.</summary>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="expiry">How long after its last renewal others consider the ownership expired.</param>
    public OwnershipLease(TimeProvider timeProvider, TimeSpan expiry)
    {
        this.timeProvider = timeProvider;
        sure = expiry - StoreResolution > expiry / 2 ? expiry - StoreResolution : expiry / 2;
        renewed = Now();
    }

    /// <summary>Whether others may consider the ownership expired. Then only the store can show the owner.</summary>
    public bool MayHaveExpired
    {
        get
        {
            var since = renewed;
            return timeProvider.GetElapsedTime(since.Timestamp) >= sure || timeProvider.GetUtcNow() - since.Wall >= sure;
        }
    }

    /// <summary>This moment, for <see cref="Renewed"/> after a request that begins now has succeeded.</summary>
    public Moment Now() => new(timeProvider.GetTimestamp(), timeProvider.GetUtcNow());

    /// <summary>The store has confirmed the ownership by a request that began at that moment.</summary>
    public void Renewed(Moment began) => renewed = began;

    /// <summary>How long ago the last renewal began, by the monotonic clock.</summary>
    public TimeSpan Age => timeProvider.GetElapsedTime(renewed.Timestamp);

    /// <summary>A moment by both clocks.</summary>
    internal sealed record Moment(long Timestamp, DateTimeOffset Wall);
}
