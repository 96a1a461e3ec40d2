using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>Our blob client and checkpoint store against a storage service that is not ours.</summary>
public sealed class AzuriteTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Our_client_is_understood_by_Azurite()
    {
        await using var azurite = await AzuriteServer.StartAsync(Cancelled);
        using var account = new BlobAccount(StorageConnectionString.Parse(azurite.ConnectionString), new BlobAccountOptions());
        var container = account.GetContainer("from-our-client");

        Assert.False(await container.ExistsAsync(Cancelled));
        Assert.True(await container.CreateIfMissingAsync(Cancelled));
        Assert.False(await container.CreateIfMissingAsync(Cancelled));
        await Uploads(container);
        await Conditions(container);
        await Names(container);
        await Pages(container);
        await Checkpoints(container);
        await Failure(
            FailureKind.NotFound,
            () => account.GetContainer("absent").UploadAsync(new BlobUpload { Name = "a", Content = default }, Cancelled).AsTask()
        );
        await Refusals(container, azurite);
    }

    private static async Task Uploads(IBlobContainer container)
    {
        foreach (var length in new[] { 0, 1, 1024 * 1024, 9 * 1024 * 1024 })
        {
            var content = RandomNumberGenerator.GetBytes(length);
            await container.UploadAsync(
                new BlobUpload
                {
                    Name = "size",
                    Content = content,
                    ContentType = "text/x-test",
                },
                Cancelled
            );

            Assert.True((await container.DownloadAsync("size", Cancelled)).Span.SequenceEqual(content));
            var properties = (await container.GetPropertiesAsync("size", Cancelled))!;
            Assert.Equal(((long)length, "text/x-test"), (properties.ContentLength, properties.ContentType));
        }
    }

    private static async Task Conditions(IBlobContainer container)
    {
        var upload = new BlobUpload()
        {
            Name = "conditions",
            Content = new byte[] { 1 },
            Condition = BlobCondition.Absent,
        };
        var first = await container.UploadAsync(upload, Cancelled);
        await Failure(FailureKind.Conflict, () => container.UploadAsync(upload, Cancelled).AsTask());
        var changed = await container.SetMetadataAsync(
            "conditions",
            new Dictionary<string, string> { ["ownerid"] = string.Empty, ["a"] = "b c" },
            BlobCondition.Match(first),
            Cancelled
        );
        await Failure(FailureKind.Conflict, () => container.UploadAsync(upload with { Condition = BlobCondition.Match(first) }, Cancelled).AsTask());
        await Failure(
            FailureKind.Conflict,
            () => container.SetMetadataAsync("conditions", new Dictionary<string, string>(), BlobCondition.Match(first), Cancelled)
        );
        var read = (await container.GetPropertiesAsync("conditions", Cancelled))!;
        Assert.Equal((changed.ETag, changed.LastModified), (read.ETag, read.LastModified));
        Assert.Equal("b c", read.Metadata["a"]);
    }

    private static async Task Names(IBlobContainer container)
    {
        foreach (var name in new[] { "names/a b+c%d", "names/$default/ä", "names/a?b=c&d" })
        {
            await container.UploadAsync(new BlobUpload { Name = name, Content = new byte[] { 1 } }, Cancelled);
            Assert.Contains(name, await ListAsync(container, "names/"));
            Assert.True(await container.DeleteAsync(name, Cancelled));
            Assert.False(await container.DeleteAsync(name, Cancelled));
        }
    }

    private static async Task Pages(IBlobContainer container)
    {
        string[] names = [.. Enumerable.Range(0, 5_010).Select(static index => string.Create(CultureInfo.InvariantCulture, $"page/{index:D5}"))];
        await Parallel.ForEachAsync(
            names,
            new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = Cancelled },
            async (name, token) => await container.UploadAsync(new BlobUpload { Name = name, Content = default }, token)
        );

        Assert.Equal(names, await ListAsync(container, "page/"));
    }

    private static async Task Checkpoints(IBlobContainer container)
    {
        var store = new BlobCheckpointStore(container, container, "127.0.0.1", "Hub1", "$Default", TimeProvider.System);
        var first = (await store.ClaimAsync("0", "one", null, Cancelled))!;
        Assert.Null(await store.ClaimAsync("0", "two", null, Cancelled));
        var renewed = (await store.ClaimAsync("0", "one", first.ETag, Cancelled))!;
        Assert.Null(await store.ClaimAsync("0", "two", first.ETag, Cancelled));
        var released = (await store.ClaimAsync("0", string.Empty, renewed.ETag, Cancelled))!;
        var listed = Assert.Single(await store.ListOwnershipsAsync(Cancelled));
        Assert.Equal((string.Empty, released.ETag), (listed.OwnerId, listed.ETag));

        Assert.Null(await store.ReadCheckpointAsync("0", Cancelled));
        var checkpoint = await store.WriteCheckpointAsync("0", new(1, "10"), "one", null, true, Cancelled);
        checkpoint = await store.WriteCheckpointAsync("0", new(2, "20"), "one", checkpoint, true, Cancelled);
        Assert.Equal(checkpoint, await store.ReadCheckpointAsync("0", Cancelled));
        await Failure(FailureKind.OwnershipLost, () => store.WriteCheckpointAsync("0", new(3, "30"), "two", null, true, Cancelled));
    }

    private static async Task Refusals(IBlobContainer container, AzuriteServer azurite)
    {
        await Failure(FailureKind.NotFound, () => container.DownloadAsync("absent", Cancelled));
        var wrong = StorageConnectionString.Parse(azurite.ConnectionString.Replace("Eby8", "Eby9", StringComparison.Ordinal));
        using var stranger = new BlobAccount(wrong, new BlobAccountOptions());
        await Failure(FailureKind.Unauthorized, () => stranger.GetContainer(container.Name).ExistsAsync(Cancelled));
    }

    private static async Task Failure(FailureKind kind, Func<Task> action)
    {
        var exception = await Assert.ThrowsAsync<MessagingException>(action);
        Assert.Equal(kind, exception.Kind);
    }

    private static async Task<List<string>> ListAsync(IBlobContainer container, string prefix)
    {
        List<string> names = [];
        await foreach (var blob in container.ListAsync(prefix, Cancelled))
        {
            names.Add(blob.Name);
        }

        return names;
    }
}
