using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Logs;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Finds the operation of a request, checks the permissions, and answers unknown operations. The required permissions are those of the service's tables for
/// shared access signatures.
/// </summary>
internal sealed class BlobRouter(
    BlobServiceOptions options,
    BlobAuthorization authorization,
    ContainerOperations containers,
    ContainerLists lists,
    LeaseOperations leases,
    BlobReads reads,
    BlobWrites writes,
    BlockOperations blocks,
    BlobCopies copies
)
{
    private long requests;

    public async Task HandleAsync(HttpContext context)
    {
        BlobAnswer.AddCommonHeaders(context, Interlocked.Increment(ref requests), options.TimeProvider.GetUtcNow());
        var request = BlobRequest.Parse(context);
        var failure = request is null ? BlobFailure.InvalidUri : authorization.Check(request);
        failure ??= request!.Address.Account == options.Account ? null : BlobFailure.ResourceNotFound;
        failure ??= UnsupportedFeatures.Find(request!);
        failure ??= options.Faults is null ? null : await options.Faults.EnterAsync(request!);
        failure ??= await RouteAsync(request!);
        if (failure is not null)
        {
            ReportError(context.Request, failure);
        }

        if (failure is not null && !context.Response.HasStarted)
        {
            await BlobAnswer.FailAsync(context, failure);
        }
    }

    // "Not found" and "already exists" are normal answers, so they are not logged. The query and the message are never logged, because both may contain a
    // signature.
    private void ReportError(HttpRequest request, BlobFailure failure)
    {
        var level = failure.Status switch
        {
            >= 500 => LogLevel.Warning,
            401 or 403 => LogLevel.Information,
            _ => LogLevel.Debug,
        };
        EmulatorLog.BlobRequestRefused(options.Log, level, failure.Code, failure.Status, request.Method, request.Path.Value);
    }

    private Task<BlobFailure?> RouteAsync(BlobRequest request)
    {
        if (request is { Method: "GET" or "HEAD" } && request.Query("restype") == "account" && request.Query("comp") == "properties")
        {
            return Run(request, BlobNeed.Service(string.Empty), AccountOperations.GetInformation);
        }

        if (request.Blob is { } blob)
        {
            return BlobNames.CheckBlob(request.Container!, blob) is { } refused ? Refuse(refused) : RouteBlobAsync(request);
        }

        if (request.Container is not null)
        {
            return request.Query("restype") == "container" ? RouteContainerAsync(request) : Refuse(BlobFailure.InvalidUri);
        }

        return RouteServiceAsync(request);
    }

    private Task<BlobFailure?> RouteServiceAsync(BlobRequest request) =>
        (request.Method, request.Query("comp"), request.Query("restype")) switch
        {
            ("GET", "list", _) => Run(request, BlobNeed.Service("l"), lists.ListContainersAsync),
            ("GET", "properties", "service") => Run(request, BlobNeed.Service("r"), AccountOperations.GetPropertiesAsync),
            (_, "properties" or "stats" or "userdelegationkey" or "batch" or "blobs", _) => Refuse(BlobFailure.Unsupported($"comp={request.Query("comp")}")),
            _ => Refuse(BlobFailure.InvalidUri),
        };

    private Task<BlobFailure?> RouteContainerAsync(BlobRequest request) =>
        (request.Method, request.Query("comp")) switch
        {
            ("PUT", null) => Run(request, BlobNeed.Container("cw"), containers.Create),
            ("GET" or "HEAD", null or "metadata") => Run(request, BlobNeed.Container("r"), containers.Read),
            ("GET", "list") => Run(request, BlobNeed.Container("l"), lists.ListBlobsAsync),
            ("DELETE", null) => Run(request, BlobNeed.Container("d"), containers.Delete),
            ("PUT", "metadata") => Run(request, BlobNeed.Container("w"), containers.SetMetadata),
            ("PUT", "lease") => Run(request, BlobNeed.Container(LeasePermissions(request)), leases.ChangeOfContainer),
            ("GET" or "HEAD", "acl") => RunWithKey(request, containers.GetAccessAsync),
            ("PUT", "acl") => RunWithKey(request, containers.SetAccessAsync),
            (_, "batch" or "blobs" or "undelete" or "rename") => Refuse(BlobFailure.Unsupported($"comp={request.Query("comp")}")),
            ("PUT" or "GET" or "HEAD" or "DELETE", _) => Refuse(BlobFailure.InvalidQuery("comp")),
            _ => Refuse(BlobFailure.UnsupportedVerb),
        };

    private Task<BlobFailure?> RouteBlobAsync(BlobRequest request)
    {
        var hasSource = request.Header("x-ms-copy-source") is not null;
        return (request.Method, request.Query("comp")) switch
        {
            ("PUT", null) when !hasSource => Run(request, BlobNeed.Object("wc"), writes.PutAsync),
            ("PUT", null) => Run(request, BlobNeed.Object("wc"), request.Header("x-ms-blob-type") is null ? copies.CopyAsync : copies.PutAsync),
            ("PUT", "block") => Run(request, BlobNeed.Object("wc"), hasSource ? copies.PutBlockAsync : blocks.PutAsync),
            ("PUT", "blocklist") => Run(request, BlobNeed.Object("wc"), blocks.CommitAsync),
            ("GET", "blocklist") => Run(request, BlobNeed.Object("r"), blocks.ListAsync),
            ("PUT", "metadata") => Run(request, BlobNeed.Object("w"), writes.SetMetadataAsync),
            ("PUT", "properties") => Run(request, BlobNeed.Object("w"), writes.SetHeadersAsync),
            ("PUT", "lease") => Run(request, BlobNeed.Object(LeasePermissions(request)), leases.ChangeOfBlob),
            ("PUT", "copy") => Refuse(BlobFailure.NoPendingCopy),
            ("GET" or "HEAD", null) => Run(request, BlobNeed.Object("r"), reads.ReadAsync),
            ("GET" or "HEAD", "metadata") => Run(request, BlobNeed.Object("r"), reads.ReadMetadata),
            ("DELETE", null) => Run(request, BlobNeed.Object("d"), writes.Delete),
            (_, "appendblock" or "page" or "pagelist") => Refuse(BlobFailure.BlobTypeNotSupported),
            (_, "tags" or "tier" or "snapshot" or "undelete" or "query" or "seal" or "immutabilityPolicies" or "legalhold" or "expiry" or "incrementalcopy") =>
                Refuse(BlobFailure.Unsupported($"comp={request.Query("comp")}")),
            ("PUT" or "GET" or "HEAD" or "DELETE", _) => Refuse(BlobFailure.InvalidQuery("comp")),
            _ => Refuse(BlobFailure.UnsupportedVerb),
        };
    }

    // Permission to delete includes breaking a lease, and no other action on it.
    private static string LeasePermissions(BlobRequest request) =>
        string.Equals(request.Header("x-ms-lease-action"), "break", StringComparison.OrdinalIgnoreCase) ? "wd" : "w";

    private static Task<BlobFailure?> Run(BlobRequest request, BlobNeed need, Func<BlobRequest, Task<BlobFailure?>> operation) =>
        request.Grant.Check(need) is { } refused ? Refuse(refused) : operation(request);

    private static Task<BlobFailure?> Run(BlobRequest request, BlobNeed need, Func<BlobRequest, BlobFailure?> operation) =>
        Refuse(request.Grant.Check(need) ?? operation(request));

    // A signed address never permits this.
    private static Task<BlobFailure?> RunWithKey(BlobRequest request, Func<BlobRequest, Task<BlobFailure?>> operation) =>
        request.Grant.IsUnlimited ? operation(request) : Refuse(BlobFailure.PermissionMismatch);

    private static Task<BlobFailure?> Refuse(BlobFailure? failure) => Task.FromResult(failure);
}
