using System.Globalization;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>The store of ownerships and checkpoints, for each family of clients.</summary>
/// <param name="fixture">The storage, and a built-in client that looks at what was written.</param>
/// <param name="family">The family.</param>
public abstract class BlobCheckpointStoreContract(BlobFixture fixture, ClientFamily family) : IClassFixture<BlobFixture>, IAsyncLifetime
{
    private readonly IMessagingClients clients = family.Connect(fixture.Settings, new ClientOptions());

    // Every test has a separate hub, so that none sees another's blobs.
    private readonly string hub = "Hub" + Guid.NewGuid().ToString("N");

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private IBlobContainer Container => clients.GetBlobContainer("container");

    private string CheckpointBlob => $"ns.example/{hub.ToLowerInvariant()}/$default/checkpoint/0";

    private string OwnershipBlob => $"ns.example/{hub.ToLowerInvariant()}/$default/ownership/0";

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public ValueTask DisposeAsync() => clients.DisposeAsync();

    /// <summary>The store under test over the blobs of one hub, in group <c>$Default</c> of namespace <c>NS.example</c>.</summary>
    private protected virtual ICheckpointStore Over(BlobCheckpointStore blobs, string eventHub) => blobs;

    [Fact]
    public async Task Claims_renews_steals_and_gives_up_a_partition()
    {
        var store = Store();

        var first = (await store.ClaimAsync("0", "one", null, Cancelled))!;
        Assert.Null(await store.ClaimAsync("0", "two", null, Cancelled));
        var renewed = (await store.ClaimAsync("0", "one", first.ETag, Cancelled))!;
        Assert.NotEqual(first.ETag, renewed.ETag);
        Assert.Null(await store.ClaimAsync("0", "two", first.ETag, Cancelled));
        var stolen = (await store.ClaimAsync("0", "two", renewed.ETag, Cancelled))!;
        Assert.Null(await store.ClaimAsync("0", "one", renewed.ETag, Cancelled));
        var released = (await store.ClaimAsync("0", string.Empty, stolen.ETag, Cancelled))!;

        var listed = Assert.Single(await store.ListOwnershipsAsync(Cancelled));
        Assert.Equal(("0", string.Empty, released.ETag), (listed.PartitionId, listed.OwnerId, listed.ETag));
        Assert.Equal(string.Empty, (await fixture.Container.GetPropertiesAsync(OwnershipBlob, Cancelled))!.Metadata["ownerid"]);
    }

    [Fact]
    public async Task A_partition_is_claimed_again_when_its_blob_has_vanished()
    {
        var store = Store();
        var first = (await store.ClaimAsync("0", "one", null, Cancelled))!;
        await fixture.Container.DeleteAsync(OwnershipBlob, Cancelled);

        Assert.NotNull(await store.ClaimAsync("0", "one", first.ETag, Cancelled));
    }

    [Fact]
    public async Task Takes_an_ownership_without_an_owner_for_given_up()
    {
        await fixture.Container.UploadAsync(new BlobUpload { Name = OwnershipBlob, Content = default }, Cancelled);

        Assert.Equal(string.Empty, Assert.Single(await Store().ListOwnershipsAsync(Cancelled)).OwnerId);
    }

    [Theory]
    [InlineData("README")]
    [InlineData("0/backup")]
    [InlineData("00")]
    [InlineData("+1")]
    [InlineData("1 ")]
    [InlineData("\u0663")]
    public async Task Blobs_that_belong_to_no_partition_are_ignored_and_reported_once(string name)
    {
        List<string> said = [];
        var store = Store(notice: said.Add);
        await store.ClaimAsync("0", "one", null, Cancelled);
        await fixture.Container.UploadAsync(new BlobUpload { Name = OwnershipBlob[..^1] + name, Content = "text"u8.ToArray() }, Cancelled);
        await fixture.Container.UploadAsync(new BlobUpload { Name = OwnershipBlob[..^1] + "\u0fff", Content = default }, Cancelled);

        for (var time = 0; time < 2; time++)
        {
            Assert.Equal("0", Assert.Single(await store.ListOwnershipsAsync(Cancelled)).PartitionId);
        }

        var line = Assert.Single(said);
        Assert.StartsWith($"warning: container '{fixture.Container.Name}' has blobs that are not ownerships of a partition", line, StringComparison.Ordinal);
        Assert.Contains($"/ownership/{name}'", line, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_store_recognises_its_own_claim_when_the_answer_was_lost(bool first)
    {
        var container = new AnswerLosingContainer(Container);
        var store = Store(container);
        var etag = first ? null : (await store.ClaimAsync("0", "one", null, Cancelled))!.ETag;
        (container.Loses, container.Retries) = (true, true);

        var claimed = (await store.ClaimAsync("0", "one", etag, Cancelled))!;

        Assert.Equal((await fixture.Container.GetPropertiesAsync(OwnershipBlob, Cancelled))!.ETag, claimed.ETag);
    }

    [Fact]
    public async Task The_store_recognises_its_own_claim_after_an_answer_that_never_came()
    {
        var container = new AnswerLosingContainer(Container);
        var store = Store(container);
        var etag = (await store.ClaimAsync("0", "one", null, Cancelled))!.ETag;
        container.Loses = true;
        await Assert.ThrowsAsync<MessagingException>(() => store.ClaimAsync("0", "one", etag, Cancelled));
        container.Loses = false;

        var claimed = (await store.ClaimAsync("0", "one", etag, Cancelled))!;

        Assert.Equal((await fixture.Container.GetPropertiesAsync(OwnershipBlob, Cancelled))!.ETag, claimed.ETag);
        Assert.Null(await store.ClaimAsync("0", "one", etag, Cancelled));
    }

    [Fact]
    public async Task Takes_no_claim_of_another_under_its_own_name_for_its_own()
    {
        var store = Store();
        var first = (await store.ClaimAsync("0", "one", null, Cancelled))!;
        var other = (await Store().ClaimAsync("0", "one", first.ETag, Cancelled))!;

        Assert.Null(await store.ClaimAsync("0", "one", first.ETag, Cancelled));
        Assert.Null(await store.ClaimAsync("0", "one", null, Cancelled));

        Assert.Equal(other.ETag, (await fixture.Container.GetPropertiesAsync(OwnershipBlob, Cancelled))!.ETag);
    }

    [Fact]
    public async Task Takes_no_checkpoint_of_another_under_its_own_name_for_its_own()
    {
        var store = Store();
        var first = await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, true, Cancelled);
        await Store().WriteCheckpointAsync("0", new(7, "7"), "one", first, true, Cancelled);

        await Lost(() => store.WriteCheckpointAsync("0", new(7, "7"), "one", first, true, Cancelled));
    }

    [Fact]
    public async Task Writes_both_numbers_as_text_and_reads_them_back()
    {
        var store = Store();
        Assert.Null(await store.ReadCheckpointAsync("0", Cancelled));

        var first = await store.WriteCheckpointAsync("0", new(5, "1112"), "me", null, true, Cancelled);
        var second = await store.WriteCheckpointAsync("0", new(9, "2000"), "me", first, true, Cancelled);

        var blob = (await fixture.Container.GetPropertiesAsync(CheckpointBlob, Cancelled))!;
        Assert.Equal(
            new Dictionary<string, string>
            {
                ["offset"] = "2000",
                ["sequencenumber"] = "9",
                ["clientidentifier"] = "me",
            },
            blob.Metadata
        );
        Assert.Equal(second, await store.ReadCheckpointAsync("0", Cancelled));
    }

    /// <summary>
    /// KEDA's scaler with `checkpointStrategy: blobMetadata` (kedacore/keda, azure_eventhub_checkpoint.go): it writes only the group in lower case, downloads
    /// the blob, and takes both numbers from its metadata.
    /// </summary>
    [Fact]
    public async Task Keda_finds_the_checkpoint_of_a_hub_in_lower_case()
    {
        await Store().WriteCheckpointAsync("0", new(9, "2000"), "me", null, true, Cancelled);

        var metadata = (await fixture.Container.GetPropertiesAsync(CheckpointBlob, Cancelled))!.Metadata;
        Assert.Empty((await fixture.Container.DownloadAsync(CheckpointBlob, Cancelled)).ToArray());
        Assert.Equal((9, "2000"), (long.Parse(metadata["sequencenumber"], CultureInfo.InvariantCulture), metadata["offset"]));
    }

    [Fact]
    public async Task A_fenced_write_over_a_checkpoint_of_another_owner_is_refused_and_changes_nothing()
    {
        var store = Store();
        var first = await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, true, Cancelled);
        var other = await store.WriteCheckpointAsync("0", new(7, "7"), "two", first, true, Cancelled);

        await Lost(() => store.WriteCheckpointAsync("0", new(6, "6"), "one", first, true, Cancelled));
        await Lost(() => store.WriteCheckpointAsync("0", new(6, "6"), "one", null, true, Cancelled));

        Assert.Equal(other, await store.ReadCheckpointAsync("0", Cancelled));
    }

    [Fact]
    public async Task An_unfenced_write_replaces_any_checkpoint()
    {
        var store = Store();
        await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, false, Cancelled);
        await store.WriteCheckpointAsync("0", new(4, "4"), "two", null, false, Cancelled);

        Assert.Equal(new EventPosition(4, "4"), (await store.ReadCheckpointAsync("0", Cancelled))!.Position);
    }

    [Fact]
    public async Task A_checkpoint_that_has_vanished_is_not_created_again()
    {
        var store = Store();
        var first = await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, true, Cancelled);
        await fixture.Container.DeleteAsync(CheckpointBlob, Cancelled);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => store.WriteCheckpointAsync("0", new(6, "6"), "one", first, true, Cancelled));

        Assert.Equal(FailureKind.NotFound, exception.Kind);
        Assert.Null(await store.ReadCheckpointAsync("0", Cancelled));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Confirms_its_own_write_whose_answer_was_lost_and_retried(bool first)
    {
        var container = new AnswerLosingContainer(Container);
        var store = Store(container);
        var previous = first ? null : await store.WriteCheckpointAsync("0", new(5, "5"), "me", null, true, Cancelled);
        (container.Loses, container.Retries) = (true, true);

        var confirmed = await store.WriteCheckpointAsync("0", new(8, "8"), "me", previous, true, Cancelled);

        Assert.Equal(await store.ReadCheckpointAsync("0", Cancelled), confirmed);
    }

    [Fact]
    public async Task A_fenced_write_continues_over_its_own_earlier_write_after_an_answer_that_never_came()
    {
        var container = new AnswerLosingContainer(Container);
        var store = Store(container);
        var first = await store.WriteCheckpointAsync("0", new(5, "5"), "me", null, true, Cancelled);
        container.Loses = true;
        await Assert.ThrowsAsync<MessagingException>(() => store.WriteCheckpointAsync("0", new(8, "8"), "me", first, true, Cancelled));
        await Assert.ThrowsAsync<MessagingException>(() => store.WriteCheckpointAsync("0", new(9, "9"), "me", first, true, Cancelled));
        container.Loses = false;

        var written = await store.WriteCheckpointAsync("0", new(12, "12"), "me", first, true, Cancelled);

        Assert.Equal(written, await store.ReadCheckpointAsync("0", Cancelled));
        Assert.Equal(12, written.Position.SequenceNumber);
    }

    [Theory]
    [InlineData("no offset", "7", 7L, null)]
    [InlineData("", "7", 7L, null)]
    [InlineData(null, "7", 7L, null)]
    [InlineData("1112", null, EventPosition.UnknownSequenceNumber, "1112")]
    [InlineData("1112", "", EventPosition.UnknownSequenceNumber, "1112")]
    [InlineData("1112", "-1", EventPosition.UnknownSequenceNumber, "1112")]
    [InlineData("1112", "7", 7L, "1112")]
    public async Task Understands_what_other_clients_leave_out(string? offset, string? sequence, long number, string? expectedOffset)
    {
        await PutCheckpointAsync(offset, sequence);

        var read = (await Store().ReadCheckpointAsync("0", Cancelled))!;

        Assert.Equal(new EventPosition(number, expectedOffset), read.Position);
        Assert.Null(read.ClientId);
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData("", "")]
    [InlineData("no offset", null)]
    [InlineData("1112", "seven")]
    [InlineData("1112", "7.5")]
    [InlineData("1112", "99999999999999999999")]
    [InlineData("1112", "-2")]
    [InlineData(null, "-9223372036854775808")]
    public async Task A_checkpoint_without_a_position_is_refused(string? offset, string? sequence)
    {
        await PutCheckpointAsync(offset, sequence);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => Store().ReadCheckpointAsync("0", Cancelled));

        Assert.Equal(FailureKind.Permanent, exception.Kind);
        Assert.Contains("partition 0", exception.Message, StringComparison.Ordinal);
    }

    private static async Task Lost(Func<Task> write) => Assert.Equal(FailureKind.OwnershipLost, (await Assert.ThrowsAsync<MessagingException>(write)).Kind);

    private ICheckpointStore Store(IBlobContainer? container = null, Action<string>? notice = null) =>
        Over(new BlobCheckpointStore(container ?? Container, container ?? Container, "NS.example", hub, "$Default", TimeProvider.System, notice), hub);

    private Task<string> PutCheckpointAsync(string? offset, string? sequence)
    {
        Dictionary<string, string> metadata = [];
        if (offset is not null)
        {
            metadata["offset"] = offset;
        }

        if (sequence is not null)
        {
            metadata["sequencenumber"] = sequence;
        }

        return fixture
            .Container.UploadAsync(
                new BlobUpload
                {
                    Name = CheckpointBlob,
                    Content = default,
                    Metadata = metadata,
                },
                Cancelled
            )
            .AsTask();
    }
}
