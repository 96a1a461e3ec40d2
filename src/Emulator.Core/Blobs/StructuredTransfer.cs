using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Reads the headers of a request that concern a <see cref="StructuredBodyFormat">structured body</see>.</summary>
internal static class StructuredTransfer
{
    // Each is a second checksum, and it is ambiguous whether it includes the frame of a framed body.
    private static readonly string[] OtherChecksumsOfUpload = ["Content-MD5", "x-ms-content-crc64"];
    private static readonly string[] OtherChecksumsOfRead = ["x-ms-range-get-content-md5", "x-ms-range-get-content-crc64"];

    /// <summary>Whether the body of a request is framed.</summary>
    /// <param name="request">The request.</param>
    /// <param name="contentLength">The announced length of the content, without the frame. Null if the body is the content.</param>
    public static BlobFailure? TryReadUpload(BlobRequest request, out long? contentLength)
    {
        contentLength = null;
        var text = request.Header(StructuredBodyFormat.LengthHeader);
        if (request.Header(StructuredBodyFormat.Header) is null)
        {
            return text is null ? null : BlobFailure.MissingHeader(StructuredBodyFormat.Header);
        }

        if (CheckKind(request, OtherChecksumsOfUpload) is { } refused)
        {
            return refused;
        }

        if (text is null)
        {
            return BlobFailure.MissingHeader(StructuredBodyFormat.LengthHeader);
        }

        if (!long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var length))
        {
            return BlobFailure.InvalidHeader(StructuredBodyFormat.LengthHeader);
        }

        contentLength = length;
        return null;
    }

    /// <summary>Whether the answer to a read is to be framed.</summary>
    public static BlobFailure? TryReadRead(BlobRequest request, out bool isFramed)
    {
        isFramed = request.Header(StructuredBodyFormat.Header) is not null;
        return request.Header(StructuredBodyFormat.LengthHeader) is not null ? BlobFailure.UnsupportedHeader(StructuredBodyFormat.LengthHeader)
            : isFramed ? CheckKind(request, OtherChecksumsOfRead)
            : null;
    }

    private static BlobFailure? CheckKind(BlobRequest request, string[] otherChecksums) =>
        request.Header(StructuredBodyFormat.Header) != StructuredBodyFormat.Kind
            ? BlobFailure.InvalidHeader($"{StructuredBodyFormat.Header}, allowed is '{StructuredBodyFormat.Kind}'")
        : Array.Find(otherChecksums, name => request.Header(name) is not null) is { } other
            ? BlobFailure.InvalidHeader($"{other}, not allowed with {StructuredBodyFormat.Header}")
        : null;
}
