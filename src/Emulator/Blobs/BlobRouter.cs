using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Finds the operation that a request names, and answers what is none.</summary>
internal sealed class BlobRouter(
    BlobServiceOptions options, BlobAuthorization authorization, ContainerOperations containers, BlobReads reads, BlobWrites writes)
{
    private long requests;

    public async Task HandleAsync(HttpContext context)
    {
        BlobAnswer.AddCommonHeaders(context, Interlocked.Increment(ref requests));
        BlobRequest? request = BlobRequest.Parse(context);
        BlobFailure? failure = request is null ? BlobFailure.InvalidUri : authorization.Check(request);
        failure ??= request!.Account == options.Account ? null : BlobFailure.ResourceNotFound;
        failure ??= await RouteAsync(request!);
        if (failure is not null && !context.Response.HasStarted)
        {
            await BlobAnswer.FailAsync(context, failure);
        }
    }

    private Task<BlobFailure?> RouteAsync(BlobRequest request)
    {
        if (request.Blob is not null)
        {
            return RouteBlobAsync(request);
        }

        if (request.Container is not null && request.Query("restype") == "container")
        {
            return RouteContainerAsync(request);
        }

        return request.Container is null && request.Query("comp") == "list" && HttpMethods.IsGet(request.Method)
            ? containers.ListContainersAsync(request, Endpoint(request))
            : Refuse(BlobFailure.InvalidUri);
    }

    private Task<BlobFailure?> RouteContainerAsync(BlobRequest request) =>
        (request.Method, request.Query("comp")) switch
        {
            ("PUT", null) => Task.FromResult(containers.Create(request)),
            ("GET" or "HEAD", null or "metadata") => Task.FromResult(containers.Read(request)),
            ("GET", "list") => containers.ListBlobsAsync(request, Endpoint(request)),
            ("DELETE", null) => Task.FromResult(containers.Delete(request)),
            ("PUT" or "GET" or "HEAD" or "DELETE", _) => Refuse(BlobFailure.InvalidQuery("comp")),
            _ => Refuse(BlobFailure.UnsupportedVerb),
        };

    private Task<BlobFailure?> RouteBlobAsync(BlobRequest request) =>
        (request.Method, request.Query("comp")) switch
        {
            ("PUT", null) => writes.PutBlobAsync(request),
            ("PUT", "block") => writes.PutBlockAsync(request),
            ("PUT", "blocklist") => writes.PutBlockListAsync(request),
            ("PUT", "metadata") => writes.SetMetadataAsync(request),
            ("GET" or "HEAD", null) => reads.ReadAsync(request),
            ("HEAD", "metadata") => reads.ReadAsync(request),
            ("DELETE", null) => Task.FromResult(writes.Delete(request)),
            ("PUT" or "GET" or "HEAD" or "DELETE", _) => Refuse(BlobFailure.InvalidQuery("comp")),
            _ => Refuse(BlobFailure.UnsupportedVerb),
        };

    private string Endpoint(BlobRequest request) => $"http://{request.Context.Request.Host}/{options.Account}/";

    private static Task<BlobFailure?> Refuse(BlobFailure failure) => Task.FromResult<BlobFailure?>(failure);
}
