using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The conditional headers of a request. ETags are kept without quotes, as the official clients send both forms.</summary>
internal readonly record struct BlobConditions
{
    private const string Any = "*";

    private string[]? IfMatch { get; init; }

    private string[]? IfNoneMatch { get; init; }

    private DateTimeOffset? IfModifiedSince { get; init; }

    private DateTimeOffset? IfUnmodifiedSince { get; init; }

    /// <summary>Those of a read: as many as there are, and several ETags in one. That there be nothing to read is none.</summary>
    public static BlobFailure? TryReadForRead(IHeaderDictionary headers, out BlobConditions conditions) =>
        TryRead(headers, string.Empty, out conditions) ?? (conditions.IfNoneMatch?.Contains(Any) == true ? BlobFailure.UnsatisfiableCondition : null);

    /// <summary>Those of a write: one ETag, and one condition, beside which the date that belongs to an ETag's condition is ignored.</summary>
    public static BlobFailure? TryReadForWrite(IHeaderDictionary headers, out BlobConditions conditions) =>
        TryReadSingle(headers, string.Empty, out conditions);

    /// <summary>Those on the source of a copy.</summary>
    public static BlobFailure? TryReadSource(IHeaderDictionary headers, out BlobConditions conditions) =>
        TryReadSingle(headers, "x-ms-source-", out conditions);

    /// <summary>Whether a whole blob may be written over what is there.</summary>
    public BlobFailure? CheckPut(StoredBlob? present)
    {
        if (present is null)
        {
            return IfMatch is null ? null : BlobFailure.ConditionNotMet;
        }

        return IfNoneMatch is [Any] ? BlobFailure.BlobAlreadyExists : CheckChange(present.ETag, present.LastModified);
    }

    /// <summary>Whether a blob or container that is there, in a version of that time, may be changed or deleted.</summary>
    public BlobFailure? CheckChange(string etag, DateTimeOffset modified) =>
        Holds(etag, modified) && !Unchanged(etag, modified) ? null : BlobFailure.ConditionNotMet;

    /// <summary>Whether a blob that is there is to be sent.</summary>
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

    // Of ETag and date, either is enough to make a blob a changed one: so the service has it for reads, unlike HTTP.
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

        // What is no ETag matches none.
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
