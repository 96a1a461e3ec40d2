using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Consumer.Tests.Doubles;

/// <summary>A container in memory that knows one condition: only if absent. Several threads may upload, as pumps do; tests look when they are done.</summary>
internal sealed class MemoryBlobs(string name = "archive") : IBlobContainer
{
    private readonly Lock gate = new();

    public string Name => name;

    public Dictionary<string, BlobUpload> Blobs { get; } = new(StringComparer.Ordinal);

    /// <summary>The next lookup of a blob finds nothing, as if it had been deleted meanwhile.</summary>
    public bool ForgetsOnce { get; set; }

    /// <summary>How the next uploads fail.</summary>
    public Queue<MessagingException> Failures { get; } = new();

    /// <summary>All uploads that were tried.</summary>
    public int Uploads { get; private set; }

    public Task<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            Uploads++;
            if (Failures.TryDequeue(out var failure))
            {
                throw failure;
            }

            if (upload.Condition.IfAbsent && Blobs.ContainsKey(upload.Name))
            {
                throw new MessagingException(FailureKind.Conflict, $"blob '{upload.Name}' exists");
            }

            Blobs[upload.Name] = upload;
            return Task.FromResult("1");
        }
    }

    public Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            if (ForgetsOnce)
            {
                ForgetsOnce = false;
                return Task.FromResult<BlobProperties?>(null);
            }

            return Task.FromResult(
                Blobs.TryGetValue(name, out var blob)
                    ? new BlobProperties(
                        name,
                        "1",
                        default,
                        blob.Content.Length,
                        blob.ContentType,
                        blob.Metadata ?? new Dictionary<string, string>(StringComparer.Ordinal)
                    )
                    : null
            );
        }
    }

    public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<bool> ExistsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<bool> DeleteAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();
}
