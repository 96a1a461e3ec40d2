using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The conditional headers of a request. ETags are compared without quotes, as the official clients send both forms.</summary>
internal readonly record struct BlobConditions(
    string? IfMatch, string? IfNoneMatch, DateTimeOffset? IfModifiedSince, DateTimeOffset? IfUnmodifiedSince)
{
    private const string Any = "*";

    public static BlobFailure? TryRead(IHeaderDictionary headers, out BlobConditions conditions) => TryRead(headers, string.Empty, out conditions);

    /// <summary>The conditions on the source of a copy.</summary>
    public static BlobFailure? TryReadSource(IHeaderDictionary headers, out BlobConditions conditions) => TryRead(headers, "x-ms-source-", out conditions);

    /// <summary>Whether a whole blob may be written over what is there.</summary>
    public BlobFailure? CheckPut(StoredBlob? present)
    {
        if (present is null)
        {
            return IfMatch is null ? null : BlobFailure.ConditionNotMet;
        }

        return IfNoneMatch == Any ? BlobFailure.BlobAlreadyExists : CheckChange(present.ETag, present.LastModified);
    }

    /// <summary>Whether a blob or container that is there, in a version of that time, may be changed or deleted.</summary>
    public BlobFailure? CheckChange(string etag, DateTimeOffset modified) => Holds(etag, modified) && !Unchanged(etag, modified) ? null : BlobFailure.ConditionNotMet;

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
        (IfMatch is null || IfMatch == Any || IfMatch == etag)
        && (IfUnmodifiedSince is not { } limit || Seconds(modified) <= Seconds(limit));

    private bool Unchanged(string etag, DateTimeOffset modified) =>
        (IfNoneMatch is not null && (IfNoneMatch == Any || IfNoneMatch == etag))
        || (IfModifiedSince is { } limit && Seconds(modified) <= Seconds(limit));

    private static long Seconds(DateTimeOffset time) => time.ToUnixTimeSeconds();

    private static BlobFailure? TryRead(IHeaderDictionary headers, string prefix, out BlobConditions conditions)
    {
        conditions = default;
        string? match = headers[prefix + "If-Match"];
        string? noneMatch = headers[prefix + "If-None-Match"];
        if (match is not null && noneMatch is not null)
        {
            return BlobFailure.MultipleConditions;
        }

        if (!TryUnquote(ref match))
        {
            return BlobFailure.InvalidHeader(prefix + "If-Match");
        }

        if (!TryUnquote(ref noneMatch))
        {
            return BlobFailure.InvalidHeader(prefix + "If-None-Match");
        }

        if (!TryDate(headers[prefix + "If-Modified-Since"], out DateTimeOffset? modified))
        {
            return BlobFailure.InvalidHeader(prefix + "If-Modified-Since");
        }

        if (!TryDate(headers[prefix + "If-Unmodified-Since"], out DateTimeOffset? unmodified))
        {
            return BlobFailure.InvalidHeader(prefix + "If-Unmodified-Since");
        }

        conditions = new BlobConditions(match, noneMatch, modified, unmodified);
        return null;
    }

    private static bool TryUnquote(ref string? value)
    {
        if (value is null)
        {
            return true;
        }

        ReadOnlySpan<char> text = value.AsSpan().Trim();
        if (text.Length >= 2 && text[0] == '"' && text[^1] == '"')
        {
            text = text[1..^1];
        }

        value = text.ToString();
        return value.Length > 0 && !value.Contains('"', StringComparison.Ordinal);
    }

    private static bool TryDate(string? value, out DateTimeOffset? date)
    {
        date = null;
        if (value is null)
        {
            return true;
        }

        bool understood = DateTimeOffset.TryParseExact(
            value, "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset parsed);
        date = parsed;
        return understood;
    }
}
