using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>Carries out every call. While the test requests it, the answers of writes are lost on their way back.</summary>
internal sealed class AnswerLosingContainer(IBlobContainer inner) : IBlobContainer
{
    public bool Loses { get; set; }

    /// <summary>A lost answer followed by a retry of the client itself, which then meets its own write.</summary>
    public bool Retries { get; set; }

    public string Name => inner.Name;

    public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => inner.CreateIfMissingAsync(cancellationToken);

    public Task<bool> ExistsAsync(CancellationToken cancellationToken) => inner.ExistsAsync(cancellationToken);

    public ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken) =>
        new(LoseAsync(() => inner.UploadAsync(upload, cancellationToken).AsTask()));

    public Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    ) => LoseAsync(() => inner.SetMetadataAsync(name, metadata, condition, cancellationToken));

    public Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken) => inner.GetPropertiesAsync(name, cancellationToken);

    public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) => inner.DownloadAsync(name, cancellationToken);

    public IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, CancellationToken cancellationToken) => inner.ListAsync(prefix, cancellationToken);

    public Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken) =>
        inner.DeleteAsync(name, condition, cancellationToken);

    private async Task<T> LoseAsync<T>(Func<Task<T>> write)
    {
        var answer = await write();
        if (!Loses)
        {
            return answer;
        }

        return Retries ? await RetryAsync(write) : throw new MessagingException(FailureKind.Transient, "the answer was lost");
    }

    private static async Task<T> RetryAsync<T>(Func<Task<T>> write)
    {
        try
        {
            return await write();
        }
        catch (MessagingException refused)
        {
            throw new MessagingException(refused.Kind, refused.Message, refused) { Condition = refused.Condition, FollowsUnanswered = true };
        }
    }
}
