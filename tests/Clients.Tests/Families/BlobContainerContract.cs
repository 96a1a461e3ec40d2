using System.Security.Cryptography;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>The operations of a container, for each family of clients.</summary>
/// <param name="fixture">The store, with an empty container.</param>
/// <param name="family">The family.</param>
public abstract class BlobContainerContract(BlobFixture fixture, ClientFamily family) : IClassFixture<BlobFixture>, IAsyncLifetime
{
    private readonly IMessagingClients clients = family.Connect(fixture.Settings, new ClientOptions());

    private protected static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private protected IBlobContainer Container => clients.GetBlobContainer("container");

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public ValueTask DisposeAsync() => clients.DisposeAsync();

    [Fact]
    public async Task Creates_a_container_once_and_finds_it()
    {
        var container = clients.GetBlobContainer("created");

        Assert.False(await container.ExistsAsync(Cancelled));
        Assert.True(await container.CreateIfMissingAsync(Cancelled));
        Assert.False(await container.CreateIfMissingAsync(Cancelled));
        Assert.True(await container.ExistsAsync(Cancelled));
    }

    [Theory]
    [InlineData("plain")]
    [InlineData("hub/0/00000000000000000001")]
    [InlineData("127.0.0.1/hub1/$default/ownership/0")]
    [InlineData("blanks and + plus % percent?query#fragment&amp=1")]
    [InlineData("a//b/")]
    [InlineData("//a")]
    [InlineData("Straße/鸟/🐦")]
    [InlineData("quote'\"<>|^`{}[]~!*();:@,")]
    public async Task Stores_and_lists_any_name_as_it_is(string name)
    {
        byte[] content = [1, 2, 3];

        var etag = await Container.UploadAsync(new BlobUpload { Name = name, Content = content }, Cancelled);

        Assert.Equal(content, (await Container.DownloadAsync(name, Cancelled)).ToArray());
        var listed = Assert.Single(await ListAsync(name));
        Assert.Equal((name, etag), (listed.Name, listed.ETag));
        Assert.True(await Container.DeleteAsync(name, Cancelled));
        Assert.False(await Container.DeleteAsync(name, Cancelled));
        Assert.Null(await Container.GetPropertiesAsync(name, Cancelled));
    }

    [Fact]
    public async Task Deletes_the_version_that_it_was_given_and_no_other()
    {
        var name = $"delete/{Guid.NewGuid():n}";
        var first = await Container.UploadAsync(new BlobUpload { Name = name, Content = default }, Cancelled);
        var second = (await Container.SetMetadataAsync(name, new Dictionary<string, string> { ["a"] = "" }, BlobCondition.Match(first), Cancelled)).ETag;

        await Conflict(() => Container.DeleteAsync(name, BlobCondition.Match(first), Cancelled));
        Assert.Equal("", (await Container.GetPropertiesAsync(name, Cancelled))!.Metadata["a"]);
        Assert.True(await Container.DeleteAsync(name, BlobCondition.Match(second), Cancelled));
        Assert.False(await Container.DeleteAsync(name, BlobCondition.Match(second), Cancelled));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1024 * 1024)]
    [InlineData(9 * 1024 * 1024)]
    public async Task Brings_back_the_same_bytes(int length)
    {
        var content = RandomNumberGenerator.GetBytes(length);
        var name = $"sizes/{length}";

        await Container.UploadAsync(
            new BlobUpload
            {
                Name = name,
                Content = content,
                ContentType = "text/x-test",
            },
            Cancelled
        );

        var properties = await Container.GetPropertiesAsync(name, Cancelled);
        Assert.Equal((long)length, properties!.ContentLength);
        Assert.Equal("text/x-test", properties.ContentType);
        Assert.True((await Container.DownloadAsync(name, Cancelled)).Span.SequenceEqual(content));
    }

    [Fact]
    public async Task Keeps_metadata_with_empty_values_through_reads_and_lists()
    {
        var metadata = new Dictionary<string, string>()
        {
            ["ownerid"] = string.Empty,
            ["offset"] = "12 34",
            ["_x9"] = "<&>",
        };
        await Container.UploadAsync(
            new BlobUpload
            {
                Name = "meta/1",
                Content = new byte[] { 7 },
                Metadata = metadata,
            },
            Cancelled
        );

        Assert.Equal(metadata, (await Container.GetPropertiesAsync("meta/1", Cancelled))!.Metadata);
        Assert.Equal(metadata, Assert.Single(await ListAsync("meta/1")).Metadata);

        var before = (await Container.GetPropertiesAsync("meta/1", Cancelled))!;
        var after = await Container.SetMetadataAsync(
            "meta/1",
            new Dictionary<string, string> { ["ownerid"] = "me" },
            BlobCondition.Match(before.ETag),
            Cancelled
        );

        Assert.NotEqual(before.ETag, after.ETag);
        Assert.Equal("me", (await Container.GetPropertiesAsync("meta/1", Cancelled))!.Metadata["ownerid"]);
        Assert.Equal([7], (await Container.DownloadAsync("meta/1", Cancelled)).ToArray());
    }

    [Fact]
    public async Task Reports_conditions_that_do_not_hold_as_conflicts()
    {
        var upload = new BlobUpload()
        {
            Name = "conditions",
            Content = new byte[] { 1 },
            Condition = BlobCondition.Absent,
        };
        var first = await Container.UploadAsync(upload, Cancelled);

        Assert.Equal("BlobAlreadyExists", (await Conflict(() => Container.UploadAsync(upload, Cancelled).AsTask())).Condition);

        var second = await Container.UploadAsync(upload with { Condition = BlobCondition.Match(first) }, Cancelled);
        Assert.NotEqual(first, second);
        Assert.Equal(
            "ConditionNotMet",
            (await Conflict(() => Container.UploadAsync(upload with { Condition = BlobCondition.Match(first) }, Cancelled).AsTask())).Condition
        );
        await Conflict(() => Container.SetMetadataAsync("conditions", new Dictionary<string, string>(), BlobCondition.Match(first), Cancelled));
    }

    [Fact]
    public async Task Names_what_is_missing()
    {
        var blob = await Failure(FailureKind.NotFound, () => Container.DownloadAsync("absent", Cancelled));
        var absent = clients.GetBlobContainer("not-there");

        Assert.Contains("blob 'absent' of container 'container'", blob.Message, StringComparison.Ordinal);
        foreach (
            var action in new Func<Task>[]
            {
                () => absent.UploadAsync(new BlobUpload { Name = "a", Content = new byte[] { 1 } }, Cancelled).AsTask(),
                () => absent.GetPropertiesAsync("a", Cancelled),
                () => absent.DeleteAsync("a", Cancelled),
                () => absent.SetMetadataAsync("a", new Dictionary<string, string>(), BlobCondition.None, Cancelled),
                () => absent.ListAsync(null, Cancelled).GetAsyncEnumerator(Cancelled).MoveNextAsync().AsTask(),
            }
        )
        {
            var missing = await Failure(FailureKind.NotFound, action);
            Assert.Contains("container 'not-there' does not exist", missing.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Refuses_metadata_that_no_header_can_carry()
    {
        foreach (
            (var key, var value) in new[]
            {
                ("with-dash", "x"),
                ("9digit", "x"),
                ("", "x"),
                ("ok", "ä"),
                ("ok", "a\r\nb: c"),
                ("ok", "after "),
                ("ok", " before"),
            }
        )
        {
            await Failure(
                FailureKind.Permanent,
                () =>
                    Container
                        .UploadAsync(
                            new BlobUpload
                            {
                                Name = "bad",
                                Content = new byte[] { 1 },
                                Metadata = new Dictionary<string, string> { [key] = value },
                            },
                            Cancelled
                        )
                        .AsTask()
            );
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("trailing ")]
    [InlineData(" leading")]
    [InlineData("a\tb")]
    [InlineData("tëxt")]
    [InlineData("text/plain\r\nX: y")]
    public async Task Refuses_a_content_type_that_no_header_can_carry(string type)
    {
        var refused = await Failure(
            FailureKind.Permanent,
            () =>
                Container
                    .UploadAsync(
                        new BlobUpload
                        {
                            Name = "bad",
                            Content = new byte[] { 1 },
                            ContentType = type,
                        },
                        Cancelled
                    )
                    .AsTask()
        );

        Assert.Contains("content type", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reports_a_wrong_key_without_showing_it()
    {
        var settings = StorageConnectionString.Parse($"AccountName=devstoreaccount1;AccountKey=Y2FuYXJ5;BlobEndpoint={fixture.Endpoint}");
        await using var stranger = family.Connect(fixture.Settings with { Storage = settings }, new ClientOptions());

        var exception = await Failure(FailureKind.Unauthorized, () => stranger.GetBlobContainer("container").ExistsAsync(Cancelled));

        Assert.DoesNotContain("Y2FuYXJ5", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Lets_one_of_many_concurrent_uploads_be_the_first()
    {
        Task<bool>[] uploads =
        [
            .. Enumerable
                .Range(0, 64)
                .Select(async index =>
                {
                    try
                    {
                        await Container.UploadAsync(
                            new BlobUpload
                            {
                                Name = "race",
                                Content = new[] { (byte)index },
                                Condition = BlobCondition.Absent,
                            },
                            Cancelled
                        );
                        return true;
                    }
                    catch (MessagingException exception) when (exception.Kind == FailureKind.Conflict)
                    {
                        return false;
                    }
                }),
        ];

        Assert.Single(await Task.WhenAll(uploads), won => won);
    }

    private protected static async Task<MessagingException> Failure(FailureKind kind, Func<Task> action)
    {
        var exception = await Assert.ThrowsAsync<MessagingException>(action);
        Assert.Equal(kind, exception.Kind);
        return exception;
    }

    private static Task<MessagingException> Conflict(Func<Task> action) => Failure(FailureKind.Conflict, action);

    private async Task<List<BlobProperties>> ListAsync(string prefix)
    {
        List<BlobProperties> blobs = [];
        await foreach (var blob in Container.ListAsync(prefix, Cancelled))
        {
            blobs.Add(blob);
        }

        return blobs;
    }
}
