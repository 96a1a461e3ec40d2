using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Journal;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Downloads and hashes every blob of a hub, because a blob's metadata proves nothing about its bytes.</summary>
internal sealed class ContainerReading(IMessagingClients clients, RetainedNames names, JournalWriter journal)
{
    private const int MaxConcurrency = 16;

    /// <summary>Returns how many blobs there were.</summary>
    public async Task<long> RunAsync(string container, CancellationToken cancellationToken)
    {
        long count = 0;
        var blobs = clients.GetBlobContainer(container);
        var options = new ParallelOptions { MaxDegreeOfParallelism = MaxConcurrency, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(
            blobs.ListAsync(names.BlobPrefix, cancellationToken),
            options,
            async (blob, token) =>
            {
                if (names.OfBlob(blob.Name) != NameStanding.Trimmed)
                {
                    journal.Write(GetRecord(container, blob, await blobs.DownloadAsync(blob.Name, token)));
                    Interlocked.Increment(ref count);
                }
            }
        );
        return count;
    }

    private static BlobWritten GetRecord(string container, BlobProperties blob, ReadOnlyMemory<byte> content) =>
        new(
            WriteMoment.Stored,
            container,
            blob.Name,
            EventStamp.Hash(content.Span),
            content.Length,
            blob.ContentType,
            blob.Metadata.Count == 0 ? null : blob.Metadata,
            blob.ETag,
            Overwrote: false
        );
}
