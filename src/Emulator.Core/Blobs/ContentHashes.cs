using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Computes the requested hashes of content while it passes.</summary>
[SuppressMessage(
    "Security",
    "CA5351:Do Not Use Broken Cryptographic Algorithms",
    Justification = "The protocol's checksum of the transfer. It is not used for security."
)]
internal sealed class ContentHashes : IDisposable
{
    private const int MostIdle = 64;

    // Reused after their hash was read. Each holds a system resource that needs finalization.
    private static readonly ConcurrentBag<IncrementalHash> IdleSha256 = [];
    private static readonly ConcurrentBag<IncrementalHash> IdleMd5 = [];

    private readonly IncrementalHash? sha256;
    private readonly IncrementalHash? md5;
    private readonly bool wantsCrc64;
    private Crc64 crc64 = new();

    // Each value is requested several times and computed once. No content is appended after that.
    private string? sha256Text;
    private string? md5Text;

    public ContentHashes(bool sha256, bool md5, bool crc64)
    {
        this.sha256 = sha256 ? Rent(IdleSha256, HashAlgorithmName.SHA256) : null;
        this.md5 = md5 ? Rent(IdleMd5, HashAlgorithmName.MD5) : null;
        wantsCrc64 = crc64;
    }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        Debug.Assert(sha256Text is null && md5Text is null, "a hash was requested before the last append");
        sha256?.AppendData(bytes);
        md5?.AppendData(bytes);
        if (wantsCrc64)
        {
            crc64.Append(bytes);
        }
    }

    /// <summary>Appends stored content, in steps.</summary>
    public void Append(BlobContent content, BlobRange range, CancellationToken cancellationToken)
    {
        var buffer = new byte[(int)Math.Min(64 * 1024, range.Length)];
        foreach (var run in content.Runs(range))
        {
            for (var done = 0; done < run.Length; )
            {
                cancellationToken.ThrowIfCancellationRequested();
                var step = buffer.AsSpan(0, Math.Min(buffer.Length, run.Length - done));
                run.Piece.CopyTo(run.From + done, step);
                Append(step);
                done += step.Length;
            }
        }
    }

    /// <summary>Lower-case hexadecimal. Null when it was not requested.</summary>
    public string? Sha256() => sha256 is null ? null : sha256Text ??= Convert.ToHexStringLower(sha256.GetHashAndReset());

    /// <summary>Base64, as in headers.</summary>
    public string? Md5() => md5 is null ? null : md5Text ??= Convert.ToBase64String(md5.GetHashAndReset());

    /// <summary>Base64, as in headers.</summary>
    public string? Checksum64() => wantsCrc64 ? crc64.ToBase64() : null;

    /// <summary>Adds the computed checksums to an answer, so that the client can compare.</summary>
    public void AddHeaders(HttpResponse response)
    {
        if (Md5() is { } hash)
        {
            response.Headers.ContentMD5 = hash;
        }

        if (Checksum64() is { } checksum)
        {
            response.Headers["x-ms-content-crc64"] = checksum;
        }
    }

    public void Dispose()
    {
        Return(IdleSha256, sha256, isClean: sha256Text is not null);
        Return(IdleMd5, md5, isClean: md5Text is not null);
    }

    private static IncrementalHash Rent(ConcurrentBag<IncrementalHash> idle, HashAlgorithmName algorithm) =>
        idle.TryTake(out var hash) ? hash : IncrementalHash.CreateHash(algorithm);

    private static void Return(ConcurrentBag<IncrementalHash> idle, IncrementalHash? hash, bool isClean)
    {
        if (hash is not null && isClean && idle.Count < MostIdle)
        {
            idle.Add(hash);
        }
        else
        {
            hash?.Dispose();
        }
    }
}
