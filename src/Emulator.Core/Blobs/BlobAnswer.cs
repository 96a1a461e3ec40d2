using System.Globalization;
using System.Xml;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Writes answers: common headers, headers of a blob, XML bodies and errors.</summary>
internal static class BlobAnswer
{
    /// <summary>The access tier of the account, which applies to every blob.</summary>
    public const string AccessTier = "Hot";

    private const string Xml = "application/xml";
    private const string DefaultVersion = "2023-11-03";

    /// <summary>Adds the headers of every answer. The client's request identifier is returned exactly or not at all.</summary>
    public static void AddCommonHeaders(HttpContext context, long number, DateTimeOffset now)
    {
        var request = context.Request.Headers;
        var response = context.Response.Headers;
        response.Date = HttpDate.Format(now);
        response["x-ms-request-id"] = string.Create(CultureInfo.InvariantCulture, $"00000000-0000-4000-8000-{number:x12}");
        response["x-ms-version"] =
            request["x-ms-version"].ToString() is { Length: > 0 and <= 64 } version && BlobNames.IsPrintable(version) ? version : DefaultVersion;
        if (request["x-ms-client-request-id"].ToString() is { Length: > 0 } identifier && BlobNames.IsPrintable(identifier))
        {
            response["x-ms-client-request-id"] = identifier;
        }
    }

    /// <summary>Answers a write with the new version.</summary>
    public static void Written(HttpResponse response, int status, StoredBlob blob)
    {
        response.StatusCode = status;
        response.ContentLength = 0;
        response.Headers.ETag = blob.QuotedETag;
        response.Headers.LastModified = blob.LastModifiedText;
        response.Headers["x-ms-request-server-encrypted"] = "true";
    }

    /// <summary>Answers without a body.</summary>
    public static void Empty(HttpResponse response, int status)
    {
        response.StatusCode = status;
        response.ContentLength = 0;
    }

    /// <summary>Adds the headers of a read, except status, length and hashes.</summary>
    public static void AddBlobHeaders(BlobRequest request, StoredBlob blob, DateTimeOffset now)
    {
        var stored = blob.Content.Headers;
        var headers = request.Response.Headers;
        headers.ETag = blob.QuotedETag;
        headers.LastModified = blob.LastModifiedText;
        headers.AcceptRanges = "bytes";
        headers.ContentType = Asked(request, "rsct") ?? (stored.ContentType.Length > 0 ? stored.ContentType : null);
        headers.ContentEncoding = Asked(request, "rsce") ?? stored.ContentEncoding;
        headers.ContentLanguage = Asked(request, "rscl") ?? stored.ContentLanguage;
        headers.CacheControl = Asked(request, "rscc") ?? stored.CacheControl;
        headers.ContentDisposition = Asked(request, "rscd") ?? stored.ContentDisposition;
        headers["x-ms-blob-type"] = "BlockBlob";
        headers["x-ms-creation-time"] = blob.CreatedAt.ToString("R", CultureInfo.InvariantCulture);
        headers["x-ms-server-encrypted"] = "true";
        AddLease(headers, blob.Lease, now);
        AddMetadata(headers, blob.Content.Metadata);
        if (blob.Content.Copy is { } copy)
        {
            headers["x-ms-copy-id"] = copy.Id;
            headers["x-ms-copy-source"] = copy.Source;
            headers["x-ms-copy-status"] = "success";
            headers["x-ms-copy-completion-time"] = copy.CompletedAt.ToString("R", CultureInfo.InvariantCulture);
            headers["x-ms-copy-progress"] = string.Create(CultureInfo.InvariantCulture, $"{blob.Content.Length}/{blob.Content.Length}");
        }
    }

    /// <summary>Adds the headers of a container's properties.</summary>
    public static void AddContainerHeaders(HttpResponse response, ContainerState state)
    {
        response.Headers.ETag = state.QuotedETag;
        response.Headers.LastModified = state.LastModifiedText;
    }

    public static void AddMetadata(IHeaderDictionary headers, IReadOnlyDictionary<string, string> metadata)
    {
        foreach ((var name, var value) in metadata)
        {
            headers["x-ms-meta-" + name] = value;
        }
    }

    public static void AddLease(IHeaderDictionary headers, Lease? lease, DateTimeOffset now)
    {
        (var state, var status, var duration) = Lease.Describe(lease, now);
        headers["x-ms-lease-state"] = state;
        headers["x-ms-lease-status"] = status;
        headers["x-ms-lease-duration"] = duration;
    }

    /// <summary>Answers with a small body.</summary>
    public static Task XmlAsync(HttpResponse response, int status, Action<XmlWriter> write, CancellationToken cancellationToken) =>
        XmlAsync(
            response,
            status,
            writer =>
            {
                write(writer);
                return Enumerable.Empty<object>();
            },
            cancellationToken
        );

    /// <summary>Answers with a body that may be long. A short body gets a Content-Length.</summary>
    /// <param name="response">The answer.</param>
    /// <param name="status">Its status.</param>
    /// <param name="write">Writes the body and returns each entry after writing it.</param>
    /// <param name="cancellationToken">Stops the wait for the reader.</param>
    public static async Task XmlAsync<T>(HttpResponse response, int status, Func<XmlWriter, IEnumerable<T>> write, CancellationToken cancellationToken)
    {
        response.StatusCode = status;
        response.ContentType = Xml;
        foreach (var step in XmlSteps.Of(write))
        {
            if (step.IsLast && !response.HasStarted)
            {
                response.ContentLength = step.Bytes.Length;
            }

            await response.Body.WriteAsync(step.Bytes, cancellationToken);
        }
    }

    /// <summary>Answers with an error. The code is in a header, and also in an XML body except for HEAD and status 304.</summary>
    public static Task FailAsync(HttpContext context, BlobFailure failure)
    {
        var response = context.Response;
        response.Headers["x-ms-error-code"] = failure.Code;
        if (failure.Status == StatusCodes.Status503ServiceUnavailable)
        {
            response.Headers.RetryAfter = Math.Ceiling(failure.RetryAfter.TotalSeconds).ToString(CultureInfo.InvariantCulture);
        }

        if (HttpMethods.IsHead(context.Request.Method) || failure.Status == StatusCodes.Status304NotModified)
        {
            response.StatusCode = failure.Status;
            return Task.CompletedTask;
        }

        return XmlAsync(
            response,
            failure.Status,
            writer =>
            {
                writer.WriteStartElement("Error");
                writer.WriteElementString("Code", failure.Code);
                writer.WriteElementString("Message", failure.Message);
                if (failure.AuthenticationDetail is { } detail)
                {
                    writer.WriteElementString("AuthenticationErrorDetail", BlobNames.ToXml(detail));
                }

                writer.WriteEndElement();
            },
            context.RequestAborted
        );
    }

    // A signed address may set headers of the answer.
    private static string? Asked(BlobRequest request, string parameter) =>
        request.Grant.IsSignedAddress && request.Query(parameter) is { Length: > 0 } value && BlobNames.IsPrintable(value) ? value : null;
}
