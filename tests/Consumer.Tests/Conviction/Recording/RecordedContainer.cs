using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Consumer.Tests.Conviction.Recording;

/// <summary>A container that keeps what was uploaded first under a name, and writes down each upload.</summary>
internal sealed class RecordedContainer(RecordedProcess process, string name) : IBlobContainer
{
    public string Name => name;

    public async ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        var services = process.Services;
        var record = new BlobWritten(
            WriteMoment.Begun,
            Name,
            upload.Name,
            RecordedServices.Hash(upload.Content.Span),
            upload.Content.Length,
            upload.ContentType,
            upload.Metadata,
            null,
            false
        );
        services.Write(record);
        var effect = await process.ArriveAsync(Place.Archive, upload.Name, '/', cancellationToken);
        var overwrote = services.Blobs.ContainsKey((Name, upload.Name));
        if (overwrote && upload.Condition.IfAbsent)
        {
            throw new MessagingException(FailureKind.Conflict, $"blob '{upload.Name}' exists");
        }

        services.Blobs[(Name, upload.Name)] = record with { Moment = WriteMoment.Stored, ETag = "1", Overwrote = overwrote };
        services.Write(services.Blobs[(Name, upload.Name)]);
        await process.AnswerAsync(effect, cancellationToken);
        services.Write(record with { Moment = WriteMoment.Answered, ETag = "1" });
        return "1";
    }

    public async Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        await process.AnswerAsync(Effect.None, cancellationToken);
        return process.Services.Blobs.TryGetValue((Name, name), out var blob)
            ? new BlobProperties(
                name,
                blob.ETag ?? "1",
                default,
                blob.Length,
                blob.ContentType,
                blob.Metadata ?? new Dictionary<string, string>(StringComparer.Ordinal)
            )
            : null;
    }

    public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<bool> ExistsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public async Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        var services = process.Services;
        var before = services.Blobs[(Name, name)];
        if (condition.IfMatch is { } version && version != before.ETag)
        {
            throw new MessagingException(FailureKind.Conflict, $"blob '{name}' has been changed");
        }

        var changed = before with { Metadata = metadata, ETag = before.ETag + "1", Overwrote = true };
        services.Blobs[(Name, name)] = changed;
        services.Write(changed);
        await process.AnswerAsync(Effect.None, cancellationToken);
        return new BlobProperties(name, changed.ETag, default, changed.Length, changed.ContentType, metadata);
    }

    public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken) => throw new NotSupportedException();
}
