using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The result of a change of a lease: a refusal, or the new lease and the remaining time for the answer.</summary>
/// <param name="Failure">The refusal, or null.</param>
/// <param name="Next">The lease from now on. Null when there is none.</param>
/// <param name="TimeLeft">The time until a break takes effect.</param>
internal readonly record struct LeaseOutcome(BlobFailure? Failure, Lease? Next, TimeSpan? TimeLeft);

/// <summary>The table of lease states and actions of the service.</summary>
internal static class LeaseTransition
{
    public static LeaseOutcome Of(Lease? lease, LeaseRequest request, DateTimeOffset now) =>
        request.Action switch
        {
            LeaseAction.Acquire => Acquire(lease, request, now),
            LeaseAction.Renew => Renew(lease, request, now),
            LeaseAction.Change => Change(lease, request, now),
            LeaseAction.Release => Release(lease, request),
            _ => Break(lease, request, now),
        };

    private static LeaseOutcome Acquire(Lease? lease, LeaseRequest request, DateTimeOffset now)
    {
        switch (Lease.GetState(lease, now))
        {
            case LeaseState.Breaking:
                return Refused(lease!.Is(request.ProposedId) ? BlobFailure.LeaseIsBreaking("acquired", "Acquired") : BlobFailure.LeaseAlreadyPresent);
            case LeaseState.Leased when !lease!.Is(request.ProposedId):
                return Refused(BlobFailure.LeaseAlreadyPresent);
            default:
                var id = request.ProposedId ?? Guid.NewGuid().ToString();
                return Done(new Lease(id, request.Duration, now + request.Duration, BrokenAt: null));
        }
    }

    // An expired lease may be renewed unless a write has happened since, because a write removes it.
    private static LeaseOutcome Renew(Lease? lease, LeaseRequest request, DateTimeOffset now) =>
        Lease.GetState(lease, now) switch
        {
            _ when lease?.Is(request.LeaseId) != true => Refused(BlobFailure.LeaseIdMismatchWithLeaseOperation),
            LeaseState.Breaking or LeaseState.Broken => Refused(BlobFailure.LeaseIsBroken),
            _ => Done(lease! with { EndsAt = now + lease.Duration }),
        };

    private static LeaseOutcome Change(Lease? lease, LeaseRequest request, DateTimeOffset now) =>
        Lease.GetState(lease, now) switch
        {
            LeaseState.Available or LeaseState.Expired or LeaseState.Broken => Refused(BlobFailure.LeaseNotPresentWithLeaseOperation),
            _ when !lease!.Is(request.LeaseId) && !lease.Is(request.ProposedId) => Refused(BlobFailure.LeaseIdMismatchWithLeaseOperation),
            LeaseState.Breaking => Refused(BlobFailure.LeaseIsBreaking("changed", "Changed")),
            _ => Done(lease with { Id = request.ProposedId! }),
        };

    private static LeaseOutcome Release(Lease? lease, LeaseRequest request) =>
        lease?.Is(request.LeaseId) == true ? Done(null) : Refused(BlobFailure.LeaseIdMismatchWithLeaseOperation);

    private static LeaseOutcome Break(Lease? lease, LeaseRequest request, DateTimeOffset now)
    {
        switch (Lease.GetState(lease, now))
        {
            case LeaseState.Available:
                return Refused(BlobFailure.LeaseNotPresentWithLeaseOperation);
            case LeaseState.Leased:
                var left = lease!.EndsAt - now ?? request.BreakPeriod ?? TimeSpan.Zero;
                return Broken(lease, Shorter(left, request.BreakPeriod), now);
            case LeaseState.Breaking:
                return Broken(lease!, Shorter(lease!.BrokenAt!.Value - now, request.BreakPeriod), now);
            default:
                return Broken(lease!, TimeSpan.Zero, now);
        }
    }

    private static TimeSpan Shorter(TimeSpan left, TimeSpan? asked) => asked < left ? asked.Value : left;

    private static LeaseOutcome Broken(Lease lease, TimeSpan left, DateTimeOffset now) => new(null, lease with { BrokenAt = now + left }, left);

    private static LeaseOutcome Done(Lease? next) => new(null, next, TimeLeft: null);

    private static LeaseOutcome Refused(BlobFailure failure) => new(failure, Next: null, TimeLeft: null);
}
