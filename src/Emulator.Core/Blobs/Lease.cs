using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The state of a lease, in the words of the service.</summary>
internal enum LeaseState
{
    Available,
    Leased,
    Expired,
    Breaking,
    Broken,
}

/// <summary>A lease on a blob or a container.</summary>
/// <param name="Id">The identifier as its holder wrote it. Comparisons ignore its format.</param>
/// <param name="Duration">How long each acquire or renew is valid. Null: for ever.</param>
/// <param name="EndsAt">When it expires. Null: never.</param>
/// <param name="BrokenAt">When the break takes effect. Null when the lease is not broken.</param>
internal sealed record Lease(string Id, TimeSpan? Duration, DateTimeOffset? EndsAt, DateTimeOffset? BrokenAt)
{
    public static LeaseState GetState(Lease? lease, DateTimeOffset now) =>
        lease switch
        {
            null => LeaseState.Available,
            { BrokenAt: { } broken } => now < broken ? LeaseState.Breaking : LeaseState.Broken,
            { EndsAt: { } end } when now >= end => LeaseState.Expired,
            _ => LeaseState.Leased,
        };

    /// <summary>Whether writes need the identifier of the lease.</summary>
    public static bool Holds(Lease? lease, DateTimeOffset now) => GetState(lease, now) is LeaseState.Leased or LeaseState.Breaking;

    /// <summary>The lease after a write without its identifier. A lease that has ended is removed.</summary>
    public static Lease? AfterWrite(Lease? lease, DateTimeOffset now) => Holds(lease, now) ? lease : null;

    /// <summary>State, status and duration in the words of the service. The duration is given only for an active lease.</summary>
    public static (string State, string Status, string? Duration) Describe(Lease? lease, DateTimeOffset now)
    {
        var state = GetState(lease, now);
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

    /// <summary>Checks whether a write or delete is permitted.</summary>
    /// <param name="lease">The lease, or null.</param>
    /// <param name="id">The identifier that the request names, or null.</param>
    /// <param name="now">The time.</param>
    /// <param name="words">The set of error codes.</param>
    public static BlobFailure? CheckWrite(Lease? lease, string? id, DateTimeOffset now, LeaseWords words) =>
        id is null && Holds(lease, now) ? BlobFailure.LeaseIdMissing(words) : CheckNamed(lease, id, now, words);

    /// <summary>Checks a read, or a write that needs no lease. Only an identifier that is given must match.</summary>
    public static BlobFailure? CheckNamed(Lease? lease, string? id, DateTimeOffset now, LeaseWords words)
    {
        if (id is null)
        {
            return null;
        }

        return GetState(lease, now) switch
        {
            LeaseState.Available => BlobFailure.LeaseNotPresent(words),
            _ when !lease!.Is(id) => BlobFailure.LeaseIdMismatch(words),
            LeaseState.Expired or LeaseState.Broken => BlobFailure.LeaseLost(words),
            _ => null,
        };
    }
}
