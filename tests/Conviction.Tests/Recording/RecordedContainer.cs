using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Conviction.Tests.Recording;

/// <summary>A container that keeps what was uploaded first under a name, and writes down each upload.</summary>
internal sealed class RecordedContainer(RecordedProcess process, Place place, string name) : IBlobContainer
{
    public string Name => name;

    public async ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        await process.LivingAsync();
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
        var effect = await process.ArriveAsync(place, upload.Name, '/', cancellationToken);
        var overwrote = services.Blobs.ContainsKey((Name, upload.Name));
        if (overwrote && upload.Condition.IfAbsent)
        {
            throw new MessagingException(FailureKind.Conflict, $"blob '{upload.Name}' exists");
        }

        var version = services.NewETag();
        services.Blobs[(Name, upload.Name)] = record with { Moment = WriteMoment.Stored, ETag = version, Overwrote = overwrote };
        services.Contents[(Name, upload.Name)] = upload.Content;
        services.Write(services.Blobs[(Name, upload.Name)]);
        await process.AnswerAsync(effect, cancellationToken);
        services.Write(record with { Moment = WriteMoment.Answered, ETag = version });
        return version;
    }

    public async Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        await process.AnswerAsync(Effect.None, cancellationToken);
        return process.Services.Blobs.TryGetValue((Name, name), out var blob) ? GetProperties(blob) : null;
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
        await process.LivingAsync();
        var services = process.Services;
        var changed = Found(name, condition) with { Metadata = metadata, ETag = services.NewETag(), Overwrote = true };
        services.Blobs[(Name, name)] = changed;
        services.Write(changed);
        await process.AnswerAsync(Effect.None, cancellationToken);
        return GetProperties(changed);
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
        var names = process.Services.Blobs.Keys.Where(key => key.Container == Name).Select(static key => key.Name);
        foreach (var blob in names.Where(name => name.StartsWith(prefix ?? string.Empty, StringComparison.Ordinal)).Order(StringComparer.Ordinal).ToList())
        {
            if (process.Services.Blobs.TryGetValue((Name, blob), out var found))
            {
                yield return GetProperties(found);
            }
        }
    }

    public async Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken)
    {
        await process.AnswerAsync(Effect.None, cancellationToken);
        if (!process.Services.Blobs.ContainsKey((Name, name)))
        {
            return false;
        }

        process.Services.Write(new BlobDeleted(Name, name, Found(name, condition).ETag));
        process.Services.Blobs.Remove((Name, name));
        await process.AnswerAsync(Effect.None, cancellationToken);
        return true;
    }

    private BlobWritten Found(string blob, BlobCondition condition)
    {
        if (!process.Services.Blobs.TryGetValue((Name, blob), out var found))
        {
            throw new MessagingException(FailureKind.NotFound, $"blob '{blob}' does not exist");
        }

        return condition.IfMatch is { } version && version != found.ETag
            ? throw new MessagingException(FailureKind.Conflict, $"blob '{blob}' has been changed")
            : found;
    }

    private static BlobProperties GetProperties(BlobWritten blob) =>
        new(
            blob.Name,
            blob.ETag!,
            default,
            blob.Length,
            // As the service has it: a blob without a type is of octets.
            blob.ContentType
                ?? "application/octet-stream",
            blob.Metadata ?? new Dictionary<string, string>(StringComparer.Ordinal)
        );
}
