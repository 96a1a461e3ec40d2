using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>On what a write depends: conditions, a lease, and whether its sender may only create.</summary>
internal readonly record struct WriteTerms(BlobConditions Conditions, string? LeaseId, bool CreateOnly)
{
    public static BlobFailure? TryRead(BlobRequest request, out WriteTerms terms)
    {
        var failure = BlobConditions.TryReadForWrite(request.Headers, out var conditions) ?? request.TryReadLeaseId(out _);
        terms = new WriteTerms(conditions, request.Header("x-ms-lease-id"), request.Grant.CreateOnly);
        return failure;
    }

    /// <summary>Whether a whole blob may be written over what is there.</summary>
    public BlobFailure? CheckPut(StoredBlob? present, DateTimeOffset now)
    {
        var failure = Conditions.CheckPut(present) ?? Lease.CheckWrite(present?.Lease, LeaseId, now, LeaseWords.Blob);
        return failure ?? (CreateOnly && present is not null ? BlobFailure.UnauthorizedOverwrite : null);
    }

    /// <summary>Whether a blob that is there may be changed or deleted.</summary>
    public BlobFailure? CheckChange(StoredBlob present, DateTimeOffset now) =>
        Conditions.CheckChange(present.ETag, present.LastModified) ?? Lease.CheckWrite(present.Lease, LeaseId, now, LeaseWords.Blob);
}
