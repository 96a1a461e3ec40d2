using System.Xml;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Operations on a container: create, get properties, set metadata, delete.</summary>
internal sealed class ContainerOperations(BlobStore store, BodyReader bodies)
{
    private const long PolicyLimit = 64 * 1024;

    public BlobFailure? Create(BlobRequest request)
    {
        StoredContainer? container = null;
        var failure = request.TryReadMetadata(out var metadata) ?? CheckPublicAccess(request) ?? store.Create(request.Container!, metadata, out container);
        if (failure is null)
        {
            BlobAnswer.Empty(request.Response, StatusCodes.Status201Created);
            BlobAnswer.AddContainerHeaders(request.Response, container!.State);
        }

        return failure;
    }

    public BlobFailure? Read(BlobRequest request)
    {
        if (Find(request, out var container) is { } failure)
        {
            return failure;
        }

        var state = container!.State;
        BlobAnswer.Empty(request.Response, StatusCodes.Status200OK);
        BlobAnswer.AddContainerHeaders(request.Response, state);
        BlobAnswer.AddLease(request.Response.Headers, state.Lease, container.Now);
        BlobAnswer.AddMetadata(request.Response.Headers, state.Metadata);
        request.Response.Headers["x-ms-has-immutability-policy"] = "false";
        request.Response.Headers["x-ms-has-legal-hold"] = "false";
        return null;
    }

    public BlobFailure? SetMetadata(BlobRequest request)
    {
        BlobConditions conditions = default;
        Dictionary<string, string> metadata = [];
        var failure =
            Find(request, out var container)
            ?? BlobConditions.TryReadForWrite(request.Headers, out conditions)
            ?? request.TryReadMetadata(out metadata)
            ?? container!.ChangeState(state => (conditions.CheckChange(state.ETag, state.LastModified), container.NextState(state, metadata)));
        if (failure is null)
        {
            BlobAnswer.Empty(request.Response, StatusCodes.Status200OK);
            BlobAnswer.AddContainerHeaders(request.Response, container!.State);
        }

        return failure;
    }

    public BlobFailure? Delete(BlobRequest request)
    {
        BlobConditions conditions = default;
        var failure =
            store.Find(request.Container!, out var container)
            ?? BlobConditions.TryReadForWrite(request.Headers, out conditions)
            ?? request.TryReadLeaseId(out _)
            ?? store.Delete(
                request.Container!,
                state =>
                    conditions.CheckChange(state.ETag, state.LastModified)
                    ?? Lease.CheckWrite(state.Lease, request.Header("x-ms-lease-id"), container!.Now, LeaseWords.Container)
            );
        if (failure is null)
        {
            BlobAnswer.Empty(request.Response, StatusCodes.Status202Accepted);
        }

        return failure;
    }

    /// <summary>Containers are private and have no stored policies.</summary>
    public async Task<BlobFailure?> GetAccessAsync(BlobRequest request)
    {
        if (Find(request, out var container) is { } failure)
        {
            return failure;
        }

        BlobAnswer.AddContainerHeaders(request.Response, container!.State);
        await BlobAnswer.XmlAsync(
            request.Response,
            StatusCodes.Status200OK,
            static writer =>
            {
                writer.WriteStartElement("SignedIdentifiers");
                writer.WriteFullEndElement();
            },
            request.Context.RequestAborted
        );
        return null;
    }

    /// <summary>Accepts only private access without stored policies, which changes nothing.</summary>
    public async Task<BlobFailure?> SetAccessAsync(BlobRequest request)
    {
        if ((Find(request, out var container) ?? CheckPublicAccess(request)) is { } refused)
        {
            return refused;
        }

        (var failure, var body) = await bodies.ReadWholeAsync(request.Context.Request, PolicyLimit, request.Context.RequestAborted);
        if (failure is null)
        {
            failure = CheckPolicies(body);
            bodies.Release(body.Length);
        }

        if (failure is null)
        {
            BlobAnswer.Empty(request.Response, StatusCodes.Status200OK);
            BlobAnswer.AddContainerHeaders(request.Response, container!.State);
        }

        return failure;
    }

    private static BlobFailure? CheckPublicAccess(BlobRequest request) =>
        request.Header("x-ms-blob-public-access") is null ? null : BlobFailure.PublicAccessNotPermitted;

    private static BlobFailure? CheckPolicies(byte[] body)
    {
        if (body.Length == 0)
        {
            return null;
        }

        try
        {
            using var reader = BlockList.Open(body);
            reader.MoveToContent();
            if (reader.Name != "SignedIdentifiers")
            {
                return BlobFailure.InvalidXml;
            }

            var hasPolicies = reader.ReadToDescendant("SignedIdentifier");
            while (reader.Read())
            {
                // Reads to the end: an incomplete body is not a list of policies.
            }

            return hasPolicies ? BlobFailure.Unsupported("stored access policies") : null;
        }
        catch (XmlException)
        {
            return BlobFailure.InvalidXml;
        }
    }

    private BlobFailure? Find(BlobRequest request, out StoredContainer? container) =>
        store.Find(request.Container!, out container)
        ?? request.TryReadLeaseId(out _)
        ?? Lease.CheckNamed(container!.State.Lease, request.Header("x-ms-lease-id"), container.Now, LeaseWords.Container);
}
