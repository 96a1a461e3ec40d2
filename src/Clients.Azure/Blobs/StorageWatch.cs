using System.Runtime.CompilerServices;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage.Blobs;
using EventHubThroughput.Events.Pooling;

namespace EventHubThroughput.Clients.Azure.Blobs;

/// <summary>
/// Sees every try of every request, those of the package's checkpoint store too. Reports the steps of writes and what an answer shows about the clock.
/// </summary>
/// <param name="options">The observers.</param>
internal sealed class StorageWatch(ClientOptions options) : HttpPipelinePolicy
{
    private const string MetadataPrefix = "x-ms-meta-";

    /// <summary>Whether anything is observed. A client without observers does not use this policy.</summary>
    public static bool IsNeeded(ClientOptions options) => options.Observer is not null || options.StorageClockRead is not null;

    // The pipeline awaits it once.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    public override async ValueTask ProcessAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline)
    {
        var tell = GetListener(message.Request);
        var content = message.Request.Content;
        if (tell is not null)
        {
            message.Request.Content = new ObservedRequest(content, () => tell(OperationMoment.OnTheWire));
        }

        var sent = options.TimeProvider.GetUtcNow();
        try
        {
            await ProcessNextAsync(message, pipeline).ConfigureAwait(false);
        }
        finally
        {
            message.Request.Content = content;
        }

        if (options.StorageClockRead is { } read && message.Response.Headers.Date is { } date)
        {
            read(ClockDifference.Of(date, sent, options.TimeProvider.GetUtcNow()));
        }

        if (tell is not null && !message.Response.IsError)
        {
            tell(OperationMoment.Answered);
        }
    }

    public override void Process(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline) =>
        throw new NotSupportedException("Storage is never called synchronously.");

    // Only for writes of blobs.
    private Action<OperationMoment>? GetListener(Request request)
    {
        if (options.Observer is not { } observer || !request.Method.Equals(RequestMethod.Put))
        {
            return null;
        }

        var address = new BlobUriBuilder(request.Uri.ToUri(), trimBlobNameSlashes: false);
        if (string.IsNullOrEmpty(address.BlobName))
        {
            return null;
        }

        var metadata = request
            .Headers.Where(static header => header.Name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase))
            .ToDictionary(static header => header.Name[MetadataPrefix.Length..], static header => header.Value, StringComparer.OrdinalIgnoreCase);
        return moment => observer(new OperationStep(moment, address.BlobContainerName, address.BlobName, metadata));
    }
}
