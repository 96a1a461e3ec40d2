using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Lease Blob and Lease Container.</summary>
internal sealed class LeaseOperations(BlobStore store)
{
    public BlobFailure? ChangeOfBlob(BlobRequest request)
    {
        if (TryRead(request, out var container, out var lease, out var conditions) is { } refused)
        {
            return refused;
        }

        var outcome = container!.ChangeLease(request.Blob!, lease!, conditions, out var blob);
        if (outcome.Failure is null)
        {
            Answer(request.Response, lease!.Action, outcome, blob!.QuotedETag, blob.LastModifiedText);
        }

        return outcome.Failure;
    }

    public BlobFailure? ChangeOfContainer(BlobRequest request)
    {
        if (TryRead(request, out var container, out var lease, out var conditions) is { } refused)
        {
            return refused;
        }

        LeaseOutcome outcome = default;
        var failure = container!.ChangeState(state =>
        {
            if (conditions.CheckChange(state.ETag, state.LastModified) is { } unmet)
            {
                return (unmet, state);
            }

            outcome = LeaseTransition.Of(state.Lease, lease!, container.Now);
            return (outcome.Failure, state with { Lease = outcome.Next });
        });
        if (failure is null)
        {
            Answer(request.Response, lease!.Action, outcome, container.State.QuotedETag, container.State.LastModifiedText);
        }

        return failure;
    }

    private BlobFailure? TryRead(BlobRequest request, out StoredContainer? container, out LeaseRequest? lease, out BlobConditions conditions)
    {
        lease = null;
        conditions = default;
        return store.Find(request.Container!, out container)
            ?? LeaseRequest.TryRead(request, out lease)
            ?? BlobConditions.TryReadForWrite(request.Headers, out conditions);
    }

    private static void Answer(HttpResponse response, LeaseAction action, LeaseOutcome outcome, string etag, string modified)
    {
        BlobAnswer.Empty(
            response,
            action switch
            {
                LeaseAction.Acquire => StatusCodes.Status201Created,
                LeaseAction.Break => StatusCodes.Status202Accepted,
                _ => StatusCodes.Status200OK,
            }
        );
        response.Headers.ETag = etag;
        response.Headers.LastModified = modified;
        if (outcome.TimeLeft is { } left)
        {
            response.Headers["x-ms-lease-time"] = Math.Ceiling(left.TotalSeconds).ToString(CultureInfo.InvariantCulture);
        }
        else if (outcome.Next is { } lease)
        {
            response.Headers["x-ms-lease-id"] = lease.Id;
        }
    }
}
