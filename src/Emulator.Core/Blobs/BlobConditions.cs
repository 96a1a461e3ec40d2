using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The conditional headers of a request. ETags are stored without quotes, because the official clients send both forms.</summary>
internal readonly record struct BlobConditions
{
    private const string Any = "*";

    private string[]? IfMatch { get; init; }

    private string[]? IfNoneMatch { get; init; }

    private DateTimeOffset? IfModifiedSince { get; init; }

    private DateTimeOffset? IfUnmodifiedSince { get; init; }

    /// <summary>
    /// Reads the conditions of a read. Any number of them may be combined, with several ETags in one. If-None-Match with an asterisk is refused.
    /// </summary>
    public static BlobFailure? TryReadForRead(IHeaderDictionary headers, out BlobConditions conditions) =>
        TryRead(headers, string.Empty, out conditions) ?? (conditions.IfNoneMatch?.Contains(Any) == true ? BlobFailure.UnsatisfiableCondition : null);

    /// <summary>Reads the conditions of a write: at most one, with one ETag. The date that belongs to an ETag condition is ignored.</summary>
    public static BlobFailure? TryReadForWrite(IHeaderDictionary headers, out BlobConditions conditions) =>
        TryReadSingle(headers, string.Empty, out conditions);

    /// <summary>Reads the conditions on the source of a copy.</summary>
    public static BlobFailure? TryReadSource(IHeaderDictionary headers, out BlobConditions conditions) =>
        TryReadSingle(headers, "x-ms-source-", out conditions);

    /// <summary>Whether a new blob may replace the present one.</summary>
    public BlobFailure? CheckPut(StoredBlob? present)
    {
        if (present is null)
        {
            return IfMatch is null ? null : BlobFailure.ConditionNotMet;
        }

        return IfNoneMatch is [Any] ? BlobFailure.BlobAlreadyExists : CheckChange(present.ETag, present.LastModified);
    }

    /// <summary>Whether an existing blob or container, with this version and time, may be changed or deleted.</summary>
    public BlobFailure? CheckChange(string etag, DateTimeOffset modified) =>
        Holds(etag, modified) && !Unchanged(etag, modified) ? null : BlobFailure.ConditionNotMet;

    /// <summary>Whether an existing blob is to be returned.</summary>
    public BlobFailure? CheckRead(StoredBlob present)
    {
        if (!Holds(present.ETag, present.LastModified))
        {
            return BlobFailure.ConditionNotMet;
        }

        return Unchanged(present.ETag, present.LastModified) ? BlobFailure.NotModified : null;
    }

    private bool Holds(string etag, DateTimeOffset modified) =>
        (IfMatch is null || Names(IfMatch, etag)) && (IfUnmodifiedSince is not { } limit || Seconds(modified) <= Seconds(limit));

    // A different ETag or a later date alone makes a blob changed. The service does so for reads, unlike HTTP.
    private bool Unchanged(string etag, DateTimeOffset modified) =>
        (IfNoneMatch is not null || IfModifiedSince is not null)
        && (IfNoneMatch is null || Names(IfNoneMatch, etag))
        && (IfModifiedSince is not { } limit || Seconds(modified) <= Seconds(limit));

    private static bool Names(string[] etags, string etag) => Array.Exists(etags, named => named == Any || named == etag);

    private static long Seconds(DateTimeOffset time) => time.ToUnixTimeSeconds();

    private static BlobFailure? TryReadSingle(IHeaderDictionary headers, string prefix, out BlobConditions conditions)
    {
        if (TryRead(headers, prefix, out conditions) is { } failure)
        {
            return failure;
        }

        if (conditions.IfMatch is { Length: > 1 } || conditions.IfNoneMatch is { Length: > 1 })
        {
            return BlobFailure.InvalidHeader(prefix + (conditions.IfMatch is { Length: > 1 } ? "If-Match" : "If-None-Match"));
        }

        conditions = conditions with
        {
            IfModifiedSince = conditions.IfNoneMatch is null ? conditions.IfModifiedSince : null,
            IfUnmodifiedSince = conditions.IfMatch is null ? conditions.IfUnmodifiedSince : null,
        };
        object?[] given = [conditions.IfMatch, conditions.IfNoneMatch, conditions.IfModifiedSince, conditions.IfUnmodifiedSince];
        return given.Count(static condition => condition is not null) > 1 ? BlobFailure.MultipleConditions : null;
    }

    private static BlobFailure? TryRead(IHeaderDictionary headers, string prefix, out BlobConditions conditions)
    {
        conditions = default;
        var noneMatch = ETags(headers[prefix + "If-None-Match"]);
        if (noneMatch is not null && !Array.TrueForAll(noneMatch, static etag => etag.Length > 0 && !etag.Contains('"', StringComparison.Ordinal)))
        {
            return BlobFailure.InvalidHeader(prefix + "If-None-Match");
        }

        if (!TryDate(headers[prefix + "If-Modified-Since"], out var modified))
        {
            return BlobFailure.InvalidHeader(prefix + "If-Modified-Since");
        }

        if (!TryDate(headers[prefix + "If-Unmodified-Since"], out var unmodified))
        {
            return BlobFailure.InvalidHeader(prefix + "If-Unmodified-Since");
        }

        // An invalid ETag matches none.
        conditions = new BlobConditions
        {
            IfMatch = ETags(headers[prefix + "If-Match"]),
            IfNoneMatch = noneMatch,
            IfModifiedSince = modified,
            IfUnmodifiedSince = unmodified,
        };
        return null;
    }

    private static string[]? ETags(StringValues header) => header.Count == 0 ? null : [.. header.ToString().Split(',').Select(Unquote)];

    private static string Unquote(string text)
    {
        var etag = text.AsSpan().Trim();
        return (etag is ['"', .. var quoted, '"'] ? quoted : etag).ToString();
    }

    private static bool TryDate(string? value, out DateTimeOffset? date)
    {
        date = null;
        if (value is null)
        {
            return true;
        }

        var understood = DateTimeOffset.TryParseExact(value, "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var parsed);
        date = parsed;
        return understood;
    }
}
