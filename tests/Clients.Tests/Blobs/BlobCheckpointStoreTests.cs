using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

public sealed class BlobCheckpointStoreTests(BlobFixture fixture) : IClassFixture<BlobFixture>
{
    // Every test has a hub of its own, so that none sees another's blobs.
    private readonly string hub = "Hub" + Guid.NewGuid().ToString("N");

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private string CheckpointBlob => $"ns.example/{hub.ToLowerInvariant()}/$default/checkpoint/0";

    private string OwnershipBlob => $"ns.example/{hub.ToLowerInvariant()}/$default/ownership/0";

    [Fact]
    public async Task Claims_renews_steals_and_gives_up_a_partition()
    {
        BlobCheckpointStore store = Store();

        Ownership first = (await store.ClaimAsync("0", "one", null, Cancelled))!;
        Assert.Null(await store.ClaimAsync("0", "two", null, Cancelled));
        Ownership renewed = (await store.ClaimAsync("0", "one", first.ETag, Cancelled))!;
        Assert.NotEqual(first.ETag, renewed.ETag);
        Assert.Null(await store.ClaimAsync("0", "two", first.ETag, Cancelled));
        Ownership stolen = (await store.ClaimAsync("0", "two", renewed.ETag, Cancelled))!;
        Assert.Null(await store.ClaimAsync("0", "one", renewed.ETag, Cancelled));
        Ownership released = (await store.ClaimAsync("0", string.Empty, stolen.ETag, Cancelled))!;

        Ownership listed = Assert.Single(await store.ListOwnershipsAsync(Cancelled));
        Assert.Equal(("0", string.Empty, released.ETag), (listed.PartitionId, listed.OwnerId, listed.ETag));
        Assert.Equal(string.Empty, (await fixture.Container.GetPropertiesAsync(OwnershipBlob, Cancelled))!.Metadata["ownerid"]);
    }

    [Fact]
    public async Task Claims_anew_when_the_blob_has_vanished()
    {
        BlobCheckpointStore store = Store();
        Ownership first = (await store.ClaimAsync("0", "one", null, Cancelled))!;
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
    [InlineData(true)]
    [InlineData(false)]
    public async Task Knows_its_own_claim_again_when_the_answer_was_lost(bool first)
    {
        AnswerLosingContainer container = new(fixture.Container);
        BlobCheckpointStore store = Store(container);
        string? etag = first ? null : (await store.ClaimAsync("0", "one", null, Cancelled))!.ETag;
        (container.Loses, container.Retries) = (true, true);

        Ownership claimed = (await store.ClaimAsync("0", "one", etag, Cancelled))!;

        Assert.Equal((await fixture.Container.GetPropertiesAsync(OwnershipBlob, Cancelled))!.ETag, claimed.ETag);
    }

    [Fact]
    public async Task Writes_both_numbers_as_text_and_reads_them_back()
    {
        BlobCheckpointStore store = Store();
        Assert.Null(await store.ReadCheckpointAsync("0", Cancelled));

        Checkpoint first = await store.WriteCheckpointAsync("0", new(5, "1112"), "me", null, true, Cancelled);
        Checkpoint second = await store.WriteCheckpointAsync("0", new(9, "2000"), "me", first, true, Cancelled);

        BlobProperties blob = (await fixture.Container.GetPropertiesAsync(CheckpointBlob, Cancelled))!;
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

    [Fact]
    public async Task Refuses_a_fenced_write_over_somebody_elses_and_changes_nothing()
    {
        BlobCheckpointStore store = Store();
        Checkpoint first = await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, true, Cancelled);
        Checkpoint other = await store.WriteCheckpointAsync("0", new(7, "7"), "two", first, true, Cancelled);

        await Lost(() => store.WriteCheckpointAsync("0", new(6, "6"), "one", first, true, Cancelled));
        await Lost(() => store.WriteCheckpointAsync("0", new(6, "6"), "one", null, true, Cancelled));

        Assert.Equal(other, await store.ReadCheckpointAsync("0", Cancelled));
    }

    [Fact]
    public async Task Writes_unfenced_whatever_is_there()
    {
        BlobCheckpointStore store = Store();
        await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, false, Cancelled);
        await store.WriteCheckpointAsync("0", new(4, "4"), "two", null, false, Cancelled);

        Assert.Equal(new EventPosition(4, "4"), (await store.ReadCheckpointAsync("0", Cancelled))!.Position);
    }

    [Fact]
    public async Task Does_not_make_a_checkpoint_anew_that_has_vanished()
    {
        BlobCheckpointStore store = Store();
        Checkpoint first = await store.WriteCheckpointAsync("0", new(5, "5"), "one", null, true, Cancelled);
        await fixture.Container.DeleteAsync(CheckpointBlob, Cancelled);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() =>
            store.WriteCheckpointAsync("0", new(6, "6"), "one", first, true, Cancelled)
        );

        Assert.Equal(FailureKind.NotFound, exception.Kind);
        Assert.Null(await store.ReadCheckpointAsync("0", Cancelled));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Confirms_its_own_write_whose_answer_was_lost_and_retried(bool first)
    {
        AnswerLosingContainer container = new(fixture.Container);
        BlobCheckpointStore store = Store(container);
        Checkpoint? previous = first ? null : await store.WriteCheckpointAsync("0", new(5, "5"), "me", null, true, Cancelled);
        (container.Loses, container.Retries) = (true, true);

        Checkpoint confirmed = await store.WriteCheckpointAsync("0", new(8, "8"), "me", previous, true, Cancelled);

        Assert.Equal(await store.ReadCheckpointAsync("0", Cancelled), confirmed);
    }

    [Fact]
    public async Task Goes_on_over_its_own_earlier_write_whose_answer_never_came()
    {
        AnswerLosingContainer container = new(fixture.Container);
        BlobCheckpointStore store = Store(container);
        Checkpoint first = await store.WriteCheckpointAsync("0", new(5, "5"), "me", null, true, Cancelled);
        container.Loses = true;
        await Assert.ThrowsAsync<MessagingException>(() => store.WriteCheckpointAsync("0", new(8, "8"), "me", first, true, Cancelled));
        await Assert.ThrowsAsync<MessagingException>(() => store.WriteCheckpointAsync("0", new(9, "9"), "me", first, true, Cancelled));
        container.Loses = false;

        Checkpoint written = await store.WriteCheckpointAsync("0", new(12, "12"), "me", first, true, Cancelled);

        Assert.Equal(written, await store.ReadCheckpointAsync("0", Cancelled));
        Assert.Equal(12, written.Position.SequenceNumber);
    }

    [Theory]
    [InlineData("no offset", "7", 7L, null)]
    [InlineData("", "7", 7L, null)]
    [InlineData(null, "7", 7L, null)]
    [InlineData("1112", null, EventPosition.UnknownSequenceNumber, "1112")]
    [InlineData("1112", "", EventPosition.UnknownSequenceNumber, "1112")]
    [InlineData("1112", "7", 7L, "1112")]
    public async Task Understands_what_other_clients_leave_out(string? offset, string? sequence, long number, string? expectedOffset)
    {
        await PutCheckpointAsync(offset, sequence);

        Checkpoint read = (await Store().ReadCheckpointAsync("0", Cancelled))!;

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
    public async Task Refuses_a_checkpoint_that_says_nothing(string? offset, string? sequence)
    {
        await PutCheckpointAsync(offset, sequence);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => Store().ReadCheckpointAsync("0", Cancelled));

        Assert.Equal(FailureKind.Permanent, exception.Kind);
        Assert.Contains("partition 0", exception.Message, StringComparison.Ordinal);
    }

    private static async Task Lost(Func<Task> write) => Assert.Equal(FailureKind.OwnershipLost, (await Assert.ThrowsAsync<MessagingException>(write)).Kind);

    private BlobCheckpointStore Store(IBlobContainer? container = null) =>
        new(container ?? fixture.Container, container ?? fixture.Container, "NS.example", hub, "$Default", TimeProvider.System);

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

        return fixture.Container.UploadAsync(
            new BlobUpload
            {
                Name = CheckpointBlob,
                Content = default,
                Metadata = metadata,
            },
            Cancelled
        );
    }
}
