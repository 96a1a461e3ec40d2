using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The checksums that a request announces for its body.</summary>
internal static class TransferChecks
{
    private const string Md5Header = "Content-MD5";
    private const string Crc64Header = "x-ms-content-crc64";
    private const int Md5Length = 16;

    /// <summary>The hashes that the request, or its journal, needs.</summary>
    public static ContentHashes HashesFor(BlobRequest request, bool journal, bool always) =>
        new(sha256: journal, md5: always || request.Header(Md5Header) is not null, crc64: request.Header(Crc64Header) is not null);

    /// <summary>Whether the body is what was announced.</summary>
    /// <param name="request">The request.</param>
    /// <param name="hashes">Fed with the whole body.</param>
    /// <param name="storedMd5">The hash that is to be stored with the content, when the body is all of it.</param>
    public static BlobFailure? Check(BlobRequest request, ContentHashes hashes, string? storedMd5 = null)
    {
        string? announced = request.Header(Md5Header) ?? storedMd5;
        if (announced is { Length: > 0 })
        {
            if (!Convert.TryFromBase64String(announced, stackalloc byte[Md5Length], out int length) || length != Md5Length)
            {
                return BlobFailure.InvalidMd5;
            }

            if (announced != hashes.Md5())
            {
                return BlobFailure.Md5Mismatch;
            }
        }

        return request.Header(Crc64Header) is { } checksum && checksum != hashes.Checksum64() ? BlobFailure.Crc64Mismatch : null;
    }

    /// <summary>Tells the sender what arrived, by the checksum that it knows.</summary>
    public static void Confirm(HttpResponse response, ContentHashes hashes)
    {
        if (hashes.Checksum64() is { } checksum)
        {
            response.Headers[Crc64Header] = checksum;
        }
        else if (hashes.Md5() is { } md5)
        {
            response.Headers.ContentMD5 = md5;
        }
    }
}
