using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The conditional headers of a request. ETags are compared without quotes, as the official clients send both forms.</summary>
internal readonly record struct BlobConditions(
    string? IfMatch, string? IfNoneMatch, DateTimeOffset? IfModifiedSince, DateTimeOffset? IfUnmodifiedSince)
{
    private const string Any = "*";

    public static BlobFailure? TryRead(IHeaderDictionary headers, out BlobConditions conditions)
    {
        conditions = default;
        string? match = headers.IfMatch;
        string? noneMatch = headers.IfNoneMatch;
        if (match is not null && noneMatch is not null)
        {
            return BlobFailure.MultipleConditions;
        }

        if (!TryUnquote(ref match))
        {
            return BlobFailure.InvalidHeader("If-Match");
        }

        if (!TryUnquote(ref noneMatch))
        {
            return BlobFailure.InvalidHeader("If-None-Match");
        }

        if (!TryDate(headers.IfModifiedSince, out DateTimeOffset? modified))
        {
            return BlobFailure.InvalidHeader("If-Modified-Since");
        }

        if (!TryDate(headers.IfUnmodifiedSince, out DateTimeOffset? unmodified))
        {
            return BlobFailure.InvalidHeader("If-Unmodified-Since");
        }

        conditions = new BlobConditions(match, noneMatch, modified, unmodified);
        return null;
    }

    /// <summary>Whether a whole blob may be written over what is there.</summary>
    public BlobFailure? CheckPut(StoredBlob? present)
    {
        if (present is null)
        {
            return IfMatch is null ? null : BlobFailure.ConditionNotMet;
        }

        return IfNoneMatch == Any ? BlobFailure.BlobAlreadyExists : CheckChange(present);
    }

    /// <summary>Whether a blob that is there may be changed or deleted.</summary>
    public BlobFailure? CheckChange(StoredBlob present) => Holds(present) && !Unchanged(present) ? null : BlobFailure.ConditionNotMet;

    /// <summary>Whether a blob that is there is to be sent.</summary>
    public BlobFailure? CheckRead(StoredBlob present)
    {
        if (!Holds(present))
        {
            return BlobFailure.ConditionNotMet;
        }

        return Unchanged(present) ? BlobFailure.NotModified : null;
    }

    private bool Holds(StoredBlob present) =>
        (IfMatch is null || IfMatch == Any || IfMatch == present.ETag)
        && (IfUnmodifiedSince is not { } limit || Seconds(present.LastModified) <= Seconds(limit));

    private bool Unchanged(StoredBlob present) =>
        (IfNoneMatch is not null && (IfNoneMatch == Any || IfNoneMatch == present.ETag))
        || (IfModifiedSince is { } limit && Seconds(present.LastModified) <= Seconds(limit));

    private static long Seconds(DateTimeOffset time) => time.ToUnixTimeSeconds();

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
