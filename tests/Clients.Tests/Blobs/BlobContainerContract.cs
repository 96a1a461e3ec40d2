using System.Security.Cryptography;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

/// <summary>What a container does, whichever family of clients speaks to it.</summary>
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
        IBlobContainer container = clients.GetBlobContainer("created");

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
    [InlineData("quote'\"<>|\\^`{}[]~!*();:@,")]
    public async Task Stores_and_lists_any_name_as_it_is(string name)
    {
        byte[] content = [1, 2, 3];

        string etag = await Container.UploadAsync(new BlobUpload { Name = name, Content = content }, Cancelled);

        Assert.Equal(content, (await Container.DownloadAsync(name, Cancelled)).ToArray());
        BlobProperties listed = Assert.Single(await ListAsync(name));
        Assert.Equal((name, etag), (listed.Name, listed.ETag));
        Assert.True(await Container.DeleteAsync(name, Cancelled));
        Assert.False(await Container.DeleteAsync(name, Cancelled));
        Assert.Null(await Container.GetPropertiesAsync(name, Cancelled));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1024 * 1024)]
    [InlineData(9 * 1024 * 1024)]
    public async Task Brings_back_the_same_bytes(int length)
    {
        byte[] content = RandomNumberGenerator.GetBytes(length);
        string name = $"sizes/{length}";

        await Container.UploadAsync(
            new BlobUpload
            {
                Name = name,
                Content = content,
                ContentType = "text/x-test",
            },
            Cancelled
        );

        BlobProperties? properties = await Container.GetPropertiesAsync(name, Cancelled);
        Assert.Equal((long)length, properties!.ContentLength);
        Assert.Equal("text/x-test", properties.ContentType);
        Assert.True((await Container.DownloadAsync(name, Cancelled)).Span.SequenceEqual(content));
    }

    [Fact]
    public async Task Keeps_metadata_with_empty_values_through_reads_and_lists()
    {
        Dictionary<string, string> metadata = new()
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

        BlobProperties before = (await Container.GetPropertiesAsync("meta/1", Cancelled))!;
        BlobProperties after = await Container.SetMetadataAsync(
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
        BlobUpload upload = new()
        {
            Name = "conditions",
            Content = new byte[] { 1 },
            Condition = BlobCondition.Absent,
        };
        string first = await Container.UploadAsync(upload, Cancelled);

        Assert.Equal("BlobAlreadyExists", (await Conflict(() => Container.UploadAsync(upload, Cancelled))).Condition);

        string second = await Container.UploadAsync(upload with { Condition = BlobCondition.Match(first) }, Cancelled);
        Assert.NotEqual(first, second);
        Assert.Equal(
            "ConditionNotMet",
            (await Conflict(() => Container.UploadAsync(upload with { Condition = BlobCondition.Match(first) }, Cancelled))).Condition
        );
        await Conflict(() => Container.SetMetadataAsync("conditions", new Dictionary<string, string>(), BlobCondition.Match(first), Cancelled));
    }

    [Fact]
    public async Task Names_what_is_missing()
    {
        MessagingException blob = await Failure(FailureKind.NotFound, () => Container.DownloadAsync("absent", Cancelled));
        IBlobContainer absent = clients.GetBlobContainer("not-there");

        Assert.Contains("blob 'absent' of container 'container'", blob.Message, StringComparison.Ordinal);
        foreach (
            Func<Task> action in new Func<Task>[]
            {
                () => absent.UploadAsync(new BlobUpload { Name = "a", Content = new byte[] { 1 } }, Cancelled),
                () => absent.GetPropertiesAsync("a", Cancelled),
                () => absent.DeleteAsync("a", Cancelled),
                () => absent.SetMetadataAsync("a", new Dictionary<string, string>(), BlobCondition.None, Cancelled),
                () => absent.ListAsync(null, Cancelled).GetAsyncEnumerator(Cancelled).MoveNextAsync().AsTask(),
            }
        )
        {
            MessagingException missing = await Failure(FailureKind.NotFound, action);
            Assert.Contains("container 'not-there' does not exist", missing.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Refuses_metadata_that_no_header_can_carry()
    {
        foreach (
            (string key, string value) in new[]
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
                    Container.UploadAsync(
                        new BlobUpload
                        {
                            Name = "bad",
                            Content = new byte[] { 1 },
                            Metadata = new Dictionary<string, string> { [key] = value },
                        },
                        Cancelled
                    )
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
        MessagingException refused = await Failure(
            FailureKind.Permanent,
            () =>
                Container.UploadAsync(
                    new BlobUpload
                    {
                        Name = "bad",
                        Content = new byte[] { 1 },
                        ContentType = type,
                    },
                    Cancelled
                )
        );

        Assert.Contains("content type", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reports_a_wrong_key_without_showing_it()
    {
        StorageConnectionString settings = StorageConnectionString.Parse(
            $"AccountName=devstoreaccount1;AccountKey=Y2FuYXJ5;BlobEndpoint={fixture.Service.Endpoint}"
        );
        await using IMessagingClients stranger = family.Connect(fixture.Settings with { Storage = settings }, new ClientOptions());

        MessagingException exception = await Failure(FailureKind.Unauthorized, () => stranger.GetBlobContainer("container").ExistsAsync(Cancelled));

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
        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(action);
        Assert.Equal(kind, exception.Kind);
        return exception;
    }

    private static Task<MessagingException> Conflict(Func<Task> action) => Failure(FailureKind.Conflict, action);

    private async Task<List<BlobProperties>> ListAsync(string prefix)
    {
        List<BlobProperties> blobs = [];
        await foreach (BlobProperties blob in Container.ListAsync(prefix, Cancelled))
        {
            blobs.Add(blob);
        }

        return blobs;
    }
}
