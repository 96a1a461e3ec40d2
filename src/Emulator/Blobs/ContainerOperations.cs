using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>What can be done with containers: create, describe, list their blobs, delete, and list them.</summary>
internal sealed class ContainerOperations(BlobStore store)
{
    private const int LargestPage = 5_000;

    public BlobFailure? Create(BlobRequest request)
    {
        BlobFailure? failure = request.TryReadMetadata(out Dictionary<string, string> metadata)
            ?? store.Create(request.Container!, metadata, out _);
        if (failure is null)
        {
            Describe(request, StatusCodes.Status201Created);
        }

        return failure;
    }

    public BlobFailure? Read(BlobRequest request)
    {
        BlobFailure? failure = store.Find(request.Container!, out _);
        if (failure is null)
        {
            Describe(request, StatusCodes.Status200OK);
        }

        return failure;
    }

    public BlobFailure? Delete(BlobRequest request)
    {
        BlobFailure? failure = store.Delete(request.Container!);
        if (failure is null)
        {
            BlobAnswer.Empty(request.Context.Response, StatusCodes.Status202Accepted);
        }

        return failure;
    }

    public async Task<BlobFailure?> ListBlobsAsync(BlobRequest request, string serviceEndpoint)
    {
        if (store.Find(request.Container!, out StoredContainer? container) is { } missing)
        {
            return missing;
        }

        if (TryReadQuery(request, out BlobListQuery? query) is { } malformed)
        {
            return malformed;
        }

        BlobPage page = container!.List(query!);
        await BlobAnswer.XmlAsync(
            request.Context.Response,
            StatusCodes.Status200OK,
            writer => BlobListXml.WriteBlobs(writer, serviceEndpoint, container.Name, query!, page, request.Query("marker"), request.Query("maxresults"), Encode(page.Next)),
            request.Context.RequestAborted);
        return null;
    }

    public async Task<BlobFailure?> ListContainersAsync(BlobRequest request, string serviceEndpoint)
    {
        if (TryReadQuery(request, out BlobListQuery? query) is { } malformed)
        {
            return malformed;
        }

        StoredContainer[] found = [.. store.All()
            .Where(container => container.Name.StartsWith(query!.Prefix, StringComparison.Ordinal)
                && string.CompareOrdinal(container.Name, query.From) >= 0)
            .Take(query!.Maximum + 1)];
        string? next = found.Length > query.Maximum ? found[^1].Name : null;
        await BlobAnswer.XmlAsync(
            request.Context.Response,
            StatusCodes.Status200OK,
            writer => BlobListXml.WriteContainers(writer, serviceEndpoint, query, found.Take(query.Maximum), Encode(next)),
            request.Context.RequestAborted);
        return null;
    }

    private static BlobFailure? TryReadQuery(BlobRequest request, out BlobListQuery? query)
    {
        query = null;
        int maximum = LargestPage;
        if (request.Query("maxresults") is { } text)
        {
            if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out maximum))
            {
                return BlobFailure.InvalidQuery("maxresults");
            }

            if (maximum == 0)
            {
                return BlobFailure.QueryOutOfRange("maxresults");
            }
        }

        string from = string.Empty;
        if (request.Query("marker") is { Length: > 0 } marker && !TryDecode(marker, out from))
        {
            return BlobFailure.InvalidQuery("marker");
        }

        bool metadata = request.Query("include") is { } include
            && include.Split(',').Contains("metadata", StringComparer.OrdinalIgnoreCase);
        query = new BlobListQuery(
            request.Query("prefix") ?? string.Empty, request.Query("delimiter"), from, Math.Min(maximum, LargestPage), metadata);
        return null;
    }

    // Markers are opaque to clients: the next name, safe in a query and in XML.
    private static string Encode(string? name) => name is null ? string.Empty : Convert.ToBase64String(Encoding.UTF8.GetBytes(name));

    private static bool TryDecode(string marker, out string name)
    {
        byte[] bytes = new byte[marker.Length];
        bool valid = Convert.TryFromBase64String(marker, bytes, out int length);
        name = valid ? Encoding.UTF8.GetString(bytes, 0, length) : string.Empty;
        return valid;
    }

    private void Describe(BlobRequest request, int status)
    {
        HttpResponse response = request.Context.Response;
        BlobAnswer.Empty(response, status);
        if (store.Find(request.Container!, out StoredContainer? container) is not null)
        {
            return;
        }

        response.Headers.ETag = $"\"{container!.ETag}\"";
        response.Headers.LastModified = container.LastModifiedText;
        if (status != StatusCodes.Status200OK)
        {
            return;
        }

        response.Headers["x-ms-lease-state"] = "available";
        response.Headers["x-ms-lease-status"] = "unlocked";
        foreach ((string name, string value) in container.Metadata)
        {
            response.Headers["x-ms-meta-" + name] = value;
        }
    }
}
