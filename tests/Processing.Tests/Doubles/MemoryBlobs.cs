using System.Globalization;
using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Processing.Tests.Doubles;

/// <summary>A container in memory, with versions and conditions. Several threads may use it, like pumps. Tests look when they are done.</summary>
internal sealed class MemoryBlobs(string name = "archive") : IBlobContainer
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, int> versions = new(StringComparer.Ordinal);

    public string Name => name;

    /// <summary>Called before each request except lists, with its verb and the blob's name. An exception that it throws is the answer.</summary>
    public Func<string, string, Task> Before { get; set; } = static (_, _) => Task.CompletedTask;

    /// <summary>Called after the request was carried out. An exception that it throws comes in place of the answer.</summary>
    public Func<string, string, Task> After { get; set; } = static (_, _) => Task.CompletedTask;

    public Dictionary<string, BlobUpload> Blobs { get; } = new(StringComparer.Ordinal);

    /// <summary>The next lookup of a blob finds nothing, as if it had been deleted meanwhile.</summary>
    public bool ForgetsOnce { get; set; }

    /// <summary>How the next uploads fail.</summary>
    public Queue<MessagingException> Failures { get; } = new();

    /// <summary>All uploads that were tried.</summary>
    public int Uploads { get; private set; }

    /// <summary>Gives a stored blob another metadata value, or takes it away.</summary>
    public void Change(string blob, string metadata, string? value)
    {
        var changed = new Dictionary<string, string>(Blobs[blob].Metadata!, StringComparer.Ordinal);
        changed.Remove(metadata);
        if (value is not null)
        {
            changed[metadata] = value;
        }

        Blobs[blob] = Blobs[blob] with { Metadata = changed };
    }

    public async ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        await Before("upload", upload.Name);
        string version;
        lock (gate)
        {
            Uploads++;
            if (Failures.TryDequeue(out var failure))
            {
                throw failure;
            }

            Check(upload.Name, upload.Condition);
            Blobs[upload.Name] = upload;
            version = NextVersion(upload.Name);
        }

        await After("upload", upload.Name);
        return version;
    }

    public async Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        await Before("look", name);
        lock (gate)
        {
            if (ForgetsOnce)
            {
                ForgetsOnce = false;
                return null;
            }

            return Blobs.ContainsKey(name) ? GetProperties(name) : null;
        }
    }

    public async Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        await Before("change", name);
        BlobProperties changed;
        lock (gate)
        {
            Check(name, condition);
            Blobs[name] = Present(name) with { Metadata = new Dictionary<string, string>(metadata, StringComparer.Ordinal) };
            NextVersion(name);
            changed = GetProperties(name);
        }

        await After("change", name);
        return changed;
    }

    public async Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken)
    {
        await Before("download", name);
        lock (gate)
        {
            return Present(name).Content;
        }
    }

    public async IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Before("list", prefix ?? "");
        string? last = null;
        while (true)
        {
            BlobProperties blob;
            lock (gate)
            {
                var next = Blobs
                    .Keys.Where(key => key.StartsWith(prefix ?? "", StringComparison.Ordinal) && (last is null || string.CompareOrdinal(key, last) > 0))
                    .Order(StringComparer.Ordinal)
                    .FirstOrDefault();
                if (next is null)
                {
                    yield break;
                }

                last = next;
                blob = GetProperties(next);
            }

            cancellationToken.ThrowIfCancellationRequested();
            yield return blob;
        }
    }

    public async Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken)
    {
        await Before("delete", name);
        lock (gate)
        {
            if (!Blobs.ContainsKey(name))
            {
                return false;
            }

            Check(name, condition);
            Blobs.Remove(name);
        }

        await After("delete", name);
        return true;
    }

    public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => Task.FromResult(false);

    public Task<bool> ExistsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    private BlobUpload Present(string blob) =>
        Blobs.TryGetValue(blob, out var present) ? present : throw new MessagingException(FailureKind.NotFound, $"blob '{blob}' does not exist");

    private void Check(string blob, BlobCondition condition)
    {
        if ((condition.IfAbsent && Blobs.ContainsKey(blob)) || (condition.IfMatch is { } version && version != GetVersion(blob)))
        {
            throw new MessagingException(FailureKind.Conflict, $"blob '{blob}' exists, or has been changed");
        }
    }

    private string GetVersion(string blob) => (Blobs.ContainsKey(blob) ? versions.GetValueOrDefault(blob, 1) : 0).ToString(CultureInfo.InvariantCulture);

    private string NextVersion(string blob)
    {
        versions[blob] = versions.GetValueOrDefault(blob) + 1;
        return GetVersion(blob);
    }

    private BlobProperties GetProperties(string blob) =>
        new(
            blob,
            GetVersion(blob),
            default,
            Blobs[blob].Content.Length,
            // As the service has it: a blob without a type is of octets.
            Blobs[blob].ContentType
                ?? "application/octet-stream",
            Blobs[blob].Metadata ?? new Dictionary<string, string>(StringComparer.Ordinal)
        );
}
