using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The checksum that a request announces for its content or its source: an MD5, a CRC64, or none. Both together are refused.</summary>
internal sealed class DeclaredHashes
{
    private const string Md5Header = "Content-MD5";
    private const string BlobMd5Header = "x-ms-blob-content-md5";
    private const int Md5Length = 16;

    private readonly string? md5;
    private readonly string? crc64;

    private DeclaredHashes(string? md5, string? crc64)
    {
        this.md5 = md5;
        this.crc64 = crc64;
    }

    public static DeclaredHashes None { get; } = new(md5: null, crc64: null);

    /// <summary>Reads the checksum of a body. Impossible values are refused before the body is received.</summary>
    public static BlobFailure? TryRead(BlobRequest request, out DeclaredHashes announced) => TryRead(request, Md5Header, "x-ms-content-crc64", out announced);

    /// <summary>Reads the checksum of a body that is a whole blob. The hash to store with the blob takes precedence over that of the transfer.</summary>
    public static BlobFailure? TryReadOfBlob(BlobRequest request, out DeclaredHashes announced) =>
        TryRead(request, Value(request, BlobMd5Header) is null ? Md5Header : BlobMd5Header, "x-ms-content-crc64", out announced);

    /// <summary>Reads the checksum of the content of a source.</summary>
    public static BlobFailure? TryReadOfSource(BlobRequest request, out DeclaredHashes announced) =>
        TryRead(request, "x-ms-source-content-md5", "x-ms-source-content-crc64", out announced);

    /// <summary>Creates the hashes that compute the announced checksum. If none was announced, they compute the one that the answer returns.</summary>
    public ContentHashes CreateHashes(bool sha256 = false) => new(sha256, md5: md5 is not null, crc64: md5 is null);

    /// <summary>Whether the content matches the announced checksum.</summary>
    /// <param name="hashes">The hashes of the whole content.</param>
    public BlobFailure? Check(ContentHashes hashes)
    {
        if (md5 is not null && md5 != hashes.Md5())
        {
            return BlobFailure.Md5Mismatch;
        }

        return crc64 is not null && crc64 != hashes.Checksum64() ? BlobFailure.Crc64Mismatch : null;
    }

    private static BlobFailure? TryRead(BlobRequest request, string md5Header, string crc64Header, out DeclaredHashes announced)
    {
        announced = None;
        var hash = Value(request, md5Header);
        var checksum = Value(request, crc64Header);
        if (hash is not null && checksum is not null)
        {
            return md5Header == BlobMd5Header ? BlobFailure.BothHashesOfBlob : BlobFailure.BothHashes;
        }

        if (hash is not null && GetBytes(hash)?.Length != Md5Length)
        {
            return BlobFailure.InvalidMd5;
        }

        // A longer value is well-formed and never matches.
        if (checksum is not null && !(GetBytes(checksum)?.Length >= sizeof(ulong)))
        {
            return BlobFailure.InvalidHeader(crc64Header);
        }

        announced = new DeclaredHashes(hash, checksum);
        return null;
    }

    private static string? Value(BlobRequest request, string header) => request.Header(header) is { Length: > 0 } value ? value : null;

    private static byte[]? GetBytes(string text)
    {
        var bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out var length) ? bytes[..length] : null;
    }
}
