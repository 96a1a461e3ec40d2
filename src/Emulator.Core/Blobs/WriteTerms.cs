using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>What a write depends on: conditions, a lease, and whether the client may only create.</summary>
internal readonly record struct WriteTerms(BlobConditions Conditions, string? LeaseId, bool CreateOnly)
{
    public static BlobFailure? TryRead(BlobRequest request, out WriteTerms terms)
    {
        var failure = BlobConditions.TryReadForWrite(request.Headers, out var conditions) ?? request.TryReadLeaseId(out _);
        terms = new WriteTerms(conditions, request.Header("x-ms-lease-id"), request.Grant.CreateOnly);
        return failure;
    }

    /// <summary>Whether a new blob may replace the present one.</summary>
    public BlobFailure? CheckPut(StoredBlob? present, DateTimeOffset now)
    {
        var failure = Conditions.CheckPut(present) ?? Lease.CheckWrite(present?.Lease, LeaseId, now, LeaseWords.Blob);
        return failure ?? (CreateOnly && present is not null ? BlobFailure.UnauthorizedOverwrite : null);
    }

    /// <summary>Whether an existing blob may be changed or deleted.</summary>
    public BlobFailure? CheckChange(StoredBlob present, DateTimeOffset now) =>
        Conditions.CheckChange(present.ETag, present.LastModified) ?? Lease.CheckWrite(present.Lease, LeaseId, now, LeaseWords.Blob);
}
