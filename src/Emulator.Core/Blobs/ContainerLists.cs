using System.Collections.Frozen;
using System.Globalization;
using System.Text;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>List Blobs and List Containers.</summary>
internal sealed class ContainerLists(BlobStore store, BlobServiceOptions options)
{
    private const int LargestPage = 5_000;

    // The parts that a list may include, with those supported here. The others (snapshots, versions, deleted blobs, tags, policies) appear absent, as in an
    // account without them.
    private static readonly FrozenDictionary<string, BlobListParts> Parts = new Dictionary<string, BlobListParts>
    {
        [string.Empty] = BlobListParts.None,
        ["metadata"] = BlobListParts.Metadata,
        ["copy"] = BlobListParts.Copy,
        ["uncommittedblobs"] = BlobListParts.Uncommitted,
        ["snapshots"] = BlobListParts.None,
        ["versions"] = BlobListParts.None,
        ["deleted"] = BlobListParts.None,
        ["deletedwithversions"] = BlobListParts.None,
        ["tags"] = BlobListParts.None,
        ["immutabilitypolicy"] = BlobListParts.None,
        ["legalhold"] = BlobListParts.None,
        ["permissions"] = BlobListParts.None,
        ["system"] = BlobListParts.None,
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    public async Task<BlobFailure?> ListBlobsAsync(BlobRequest request)
    {
        BlobListQuery? query = null;
        var failure =
            store.Find(request.Container!, out var container)
            ?? request.TryReadLeaseId(out _)
            ?? Lease.CheckNamed(container!.State.Lease, request.Header("x-ms-lease-id"), container.Now, LeaseWords.Container)
            ?? CheckFormat(request)
            ?? TryReadQuery(request, out query);
        if (failure is not null)
        {
            return failure;
        }

        var page = container!.List(query!);
        await BlobAnswer.XmlAsync(
            request.Response,
            StatusCodes.Status200OK,
            writer =>
                BlobListXml.WriteBlobs(
                    writer,
                    Endpoint(request),
                    container.Name,
                    query!,
                    page,
                    request.Query("marker"),
                    request.Query("maxresults"),
                    Encode(page.Next),
                    container.Now
                ),
            request.Context.RequestAborted
        );
        return null;
    }

    public async Task<BlobFailure?> ListContainersAsync(BlobRequest request)
    {
        if (TryReadQuery(request, out var query) is { } malformed)
        {
            return malformed;
        }

        StoredContainer[] found =
        [
            .. store
                .All()
                .Where(container =>
                    container.Name.StartsWith(query!.Prefix, StringComparison.Ordinal) && string.CompareOrdinal(container.Name, query.From) >= 0
                )
                .Take(query!.Maximum + 1),
        ];
        var next = found.Length > query.Maximum ? found[^1].Name : null;
        await BlobAnswer.XmlAsync(
            request.Response,
            StatusCodes.Status200OK,
            writer =>
                BlobListXml.WriteContainers(
                    writer,
                    Endpoint(request),
                    query,
                    found.Take(query.Maximum),
                    request.Query("marker"),
                    request.Query("maxresults"),
                    Encode(next),
                    options.TimeProvider.GetUtcNow()
                ),
            request.Context.RequestAborted
        );
        return null;
    }

    private static BlobFailure? TryReadQuery(BlobRequest request, out BlobListQuery? query)
    {
        query = null;
        var maximum = LargestPage;
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

        var from = string.Empty;
        if (request.Query("marker") is { Length: > 0 } marker && !TryDecode(marker, out from))
        {
            return BlobFailure.InvalidQuery("marker");
        }

        if (GetInclude(request) is not { } include)
        {
            return BlobFailure.InvalidQuery("include");
        }

        query = new BlobListQuery(request.Query("prefix") ?? string.Empty, request.Query("delimiter"), from, Math.Min(maximum, LargestPage), include)
        {
            StartFrom = request.Query("startFrom") ?? string.Empty,
            EndBefore = request.Query("endBefore") is { Length: > 0 } end ? end : null,
        };
        return null;
    }

    // Newer clients may request Apache Arrow. Most of them accept XML too.
    private static BlobFailure? CheckFormat(BlobRequest request) =>
        request.Header("Accept") is { Length: > 0 } formats
        && !formats.Contains("xml", StringComparison.OrdinalIgnoreCase)
        && !formats.Contains("*/*", StringComparison.Ordinal)
        && !formats.Contains("application/*", StringComparison.Ordinal)
            ? BlobFailure.Unsupported("a list in another format than application/xml")
            : null;

    // Null if a part is unknown.
    private static BlobListParts? GetInclude(BlobRequest request)
    {
        var parts = BlobListParts.None;
        foreach (var part in request.Query("include")?.Split(',') ?? [])
        {
            if (!Parts.TryGetValue(part, out var known))
            {
                return null;
            }

            parts |= known;
        }

        return parts;
    }

    // Markers are opaque to clients: the next name, encoded for a query and XML.
    private static string Encode(string? name) => name is null ? string.Empty : Convert.ToBase64String(Encoding.UTF8.GetBytes(name));

    private static bool TryDecode(string marker, out string name)
    {
        var bytes = new byte[marker.Length];
        var valid = Convert.TryFromBase64String(marker, bytes, out var length);
        name = valid ? Encoding.UTF8.GetString(bytes, 0, length) : string.Empty;
        return valid;
    }

    private string Endpoint(BlobRequest request) => $"{request.Context.Request.Scheme}://{request.Context.Request.Host}/{options.Account}/";
}
