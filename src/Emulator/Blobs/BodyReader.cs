using EventHubThroughput.Emulator.Storage;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Receives request bodies into one array, whose size is reserved as it grows, never on the sender's word alone.</summary>
internal sealed class BodyReader(MemoryBudget budget, long limit)
{
    private const int FirstStep = 64 * 1024;

    public long Limit => limit;

    /// <summary>Receives the body. On success its length stays reserved, and the caller releases it when the bytes are dropped.</summary>
    public async Task<(BlobFailure? Failure, byte[] Bytes)> ReadAsync(HttpRequest request, CancellationToken cancellationToken)
    {
        if (request.ContentLength is not { } length)
        {
            return (BlobFailure.MissingContentLength, []);
        }

        if (length > limit)
        {
            return (BlobFailure.BodyTooLarge, []);
        }

        byte[] bytes = [];
        int filled = 0;
        try
        {
            while (filled < length)
            {
                if (filled == bytes.Length)
                {
                    int size = (int)Math.Min(length, Math.Max(FirstStep, bytes.Length * 2L));
                    if (!budget.TryReserve(size - bytes.Length))
                    {
                        budget.Release(bytes.Length);
                        bytes = [];
                        return (BlobFailure.ServerBusy, []);
                    }

                    byte[] larger = GC.AllocateUninitializedArray<byte>(size);
                    bytes.AsSpan().CopyTo(larger);
                    bytes = larger;
                }

                int read = await request.Body.ReadAsync(bytes.AsMemory(filled), cancellationToken);
                if (read == 0)
                {
                    throw new BadHttpRequestException("The body ends before its announced length.");
                }

                filled += read;
            }
        }
        catch
        {
            budget.Release(bytes.Length);
            throw;
        }

        return (null, bytes);
    }

    public void Release(long bytes) => budget.Release(bytes);
}
