using System.Runtime.CompilerServices;
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

        var stored = record with { Moment = WriteMoment.Stored, ETag = services.NewETag(), Overwrote = overwrote };
        services.Blobs[(Name, upload.Name)] = stored;
        services.Contents[(Name, upload.Name)] = upload.Content;
        services.Write(stored);
        await process.AnswerAsync(effect, cancellationToken);
        services.Write(record with { Moment = WriteMoment.Answered, ETag = stored.ETag });
        return stored.ETag;
    }

    public async Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        await process.AnswerAsync(Effect.None, cancellationToken);
        return process.Services.Blobs.TryGetValue((Name, name), out var blob) ? PropertiesOf(blob) : null;
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
        var changed = Found(name, condition) with { Metadata = metadata, ETag = services.NewETag(), Overwrote = true };
        services.Blobs[(Name, name)] = changed;
        services.Write(changed);
        await process.AnswerAsync(Effect.None, cancellationToken);
        return PropertiesOf(changed);
    }

    public async Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken)
    {
        await process.AnswerAsync(Effect.None, cancellationToken);
        Found(name, BlobCondition.None);
        return process.Services.Contents[(Name, name)];
    }

    public async IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await process.AnswerAsync(Effect.None, cancellationToken);
        foreach (var blob in process.Services.Blobs.Values.Where(blob => blob.Container == Name).OrderBy(blob => blob.Name, StringComparer.Ordinal).ToList())
        {
            yield return PropertiesOf(blob);
        }
    }

    public async Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken)
    {
        if (!process.Services.Blobs.ContainsKey((Name, name)))
        {
            return false;
        }

        process.Services.Write(new BlobDeleted(Name, name, Found(name, condition).ETag));
        process.Services.Blobs.Remove((Name, name));
        await process.AnswerAsync(Effect.None, cancellationToken);
        return true;
    }

    private BlobWritten Found(string name, BlobCondition condition)
    {
        if (!process.Services.Blobs.TryGetValue((Name, name), out var blob))
        {
            throw new MessagingException(FailureKind.NotFound, $"blob '{name}' does not exist");
        }

        return condition.IfMatch is { } version && version != blob.ETag
            ? throw new MessagingException(FailureKind.Conflict, $"blob '{name}' has been changed")
            : blob;
    }

    private static BlobProperties PropertiesOf(BlobWritten blob) =>
        new(blob.Name, blob.ETag!, default, blob.Length, blob.ContentType, blob.Metadata ?? new Dictionary<string, string>(StringComparer.Ordinal));
}
