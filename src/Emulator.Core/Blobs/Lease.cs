using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>What a lease does at a moment, in the service's words.</summary>
internal enum LeaseState
{
    Available,
    Leased,
    Expired,
    Breaking,
    Broken,
}

/// <summary>A lease on a blob or a container.</summary>
/// <param name="Id">As its holder wrote it. Compared as the identifier that it is, however it is written.</param>
/// <param name="Duration">For how long each acquiring or renewing holds. Null: for ever.</param>
/// <param name="EndsAt">When it expires. Null: never.</param>
/// <param name="BrokenAt">When breaking it takes effect. Null when nobody broke it.</param>
internal sealed record Lease(string Id, TimeSpan? Duration, DateTimeOffset? EndsAt, DateTimeOffset? BrokenAt)
{
    public static LeaseState StateOf(Lease? lease, DateTimeOffset now) =>
        lease switch
        {
            null => LeaseState.Available,
            { BrokenAt: { } broken } => now < broken ? LeaseState.Breaking : LeaseState.Broken,
            { EndsAt: { } end } when now >= end => LeaseState.Expired,
            _ => LeaseState.Leased,
        };

    /// <summary>Whether writes need the lease's identifier.</summary>
    public static bool Holds(Lease? lease, DateTimeOffset now) => StateOf(lease, now) is LeaseState.Leased or LeaseState.Breaking;

    /// <summary>What a write without the identifier leaves of a lease: one that has ended is forgotten.</summary>
    public static Lease? AfterWrite(Lease? lease, DateTimeOffset now) => Holds(lease, now) ? lease : null;

    /// <summary>State, status and duration in the service's words. The duration only of a lease that holds.</summary>
    public static (string State, string Status, string? Duration) Describe(Lease? lease, DateTimeOffset now)
    {
        var state = StateOf(lease, now);
        return (
            state.ToString().ToLowerInvariant(),
            Holds(lease, now) ? "locked" : "unlocked",
            state != LeaseState.Leased ? null
            : lease!.Duration is null ? "infinite"
            : "fixed"
        );
    }

    public bool Is(string? id) =>
        string.Equals(Id, id, StringComparison.OrdinalIgnoreCase) || (Guid.TryParse(id, out var named) && Guid.TryParse(Id, out var own) && named == own);

    /// <summary>Whether a write or delete may go on.</summary>
    /// <param name="lease">The lease, or null.</param>
    /// <param name="id">The identifier that the request names, or null.</param>
    /// <param name="now">The time.</param>
    /// <param name="words">Which of the two sets of codes.</param>
    public static BlobFailure? CheckWrite(Lease? lease, string? id, DateTimeOffset now, LeaseWords words) =>
        id is null && Holds(lease, now) ? BlobFailure.LeaseIdMissing(words) : CheckNamed(lease, id, now, words);

    /// <summary>Whether a read, or a write that needs no lease, may go on: only an identifier that is named must be right.</summary>
    public static BlobFailure? CheckNamed(Lease? lease, string? id, DateTimeOffset now, LeaseWords words)
    {
        if (id is null)
        {
            return null;
        }

        return StateOf(lease, now) switch
        {
            LeaseState.Available => BlobFailure.LeaseNotPresent(words),
            _ when !lease!.Is(id) => BlobFailure.LeaseIdMismatch(words),
            LeaseState.Expired or LeaseState.Broken => BlobFailure.LeaseLost(words),
            _ => null,
        };
    }
}
