using System.Globalization;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;
using SdkPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>The store that the package's processor uses: the contract of every store, and what the package and other SDKs see of it.</summary>
public sealed class ContainerCheckpointStoreTests(BlobFixture fixture) : BlobCheckpointStoreContract(fixture, OfficialClients.Family)
{
    private const string Namespace = "NS.example";
    private const string ConsumerGroup = "$Default";

    // Each test has its own hub, so that none sees another's blobs.
    private readonly string hub = "Mixed" + Guid.NewGuid().ToString("N");
    private readonly BlobFixture fixture = fixture;
    private readonly BlobContainerClient raw = new(fixture.ConnectionString, "container");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private string Folder => $"ns.example/{hub.ToLowerInvariant()}/$default";

    private string CheckpointBlob => $"{Folder}/checkpoint/0";

    private protected override ICheckpointStore Over(BlobCheckpointStore blobs, string eventHub) =>
        new PackageStoreAdapter(new CheckpointGroup(Namespace, eventHub, ConsumerGroup), blobs);

    [Theory]
    [InlineData("other.example", null, ConsumerGroup)]
    [InlineData(Namespace, "other", ConsumerGroup)]
    [InlineData(Namespace, null, "other")]
    public async Task Calls_for_another_group_are_refused_and_write_nothing(string fullyQualifiedNamespace, string? eventHub, string consumerGroup)
    {
        var store = Store();
        eventHub ??= hub;
        var foreign = Desired("0", "one");
        (foreign.FullyQualifiedNamespace, foreign.EventHubName, foreign.ConsumerGroup) = (fullyQualifiedNamespace, eventHub, consumerGroup);

        await RefusedAsync(() => store.ListOwnershipAsync(fullyQualifiedNamespace, eventHub, consumerGroup, Token));
        await RefusedAsync(() => store.ClaimOwnershipAsync([foreign], Token));
        await RefusedAsync(() => store.GetCheckpointAsync(fullyQualifiedNamespace, eventHub, consumerGroup, "0", Token));
        await RefusedAsync(() =>
            store.UpdateCheckpointAsync(fullyQualifiedNamespace, eventHub, consumerGroup, "0", "me", new CheckpointPosition("5", 5), Token)
        );

        Assert.Empty(await NamesAsync(Folder));
        Assert.Empty(await NamesAsync($"{fullyQualifiedNamespace}/{eventHub}/{consumerGroup}".ToLowerInvariant()));
    }

    [Fact]
    public async Task The_case_of_a_group_does_not_matter()
    {
        await UpdateAsync(Store(), 5);

        Assert.NotNull(await Store().GetCheckpointAsync("ns.EXAMPLE", hub.ToUpperInvariant(), "$DEFAULT", "0", Token));
    }

    [Fact]
    public async Task A_partition_without_a_checkpoint_has_none() => Assert.Null(await ReadAsync(Store()));

    [Theory]
    [InlineData("1112", "7", 7L)]
    [InlineData("no offset", "7", 7L)]
    [InlineData("1112", null, null)]
    public async Task Reading_starts_after_the_sequence_number_or_else_after_the_offset(string offset, string? sequenceNumber, long? after)
    {
        await PutAsync(offset, sequenceNumber);

        var read = (await ReadAsync(Store()))!;

        var expected = after is { } number ? SdkPosition.FromSequenceNumber(number, isInclusive: false) : SdkPosition.FromOffset(offset, isInclusive: false);
        Assert.Equal(expected, read.StartingPosition);
        Assert.Equal((Namespace, hub, ConsumerGroup, "0"), (read.FullyQualifiedNamespace, read.EventHubName, read.ConsumerGroup, read.PartitionId));
    }

    [Fact]
    public async Task A_checkpoint_is_a_blob_of_the_official_name_and_metadata()
    {
        var store = Store();
        await UpdateAsync(store, 5);
        await UpdateAsync(store, 9);

        var blob = Assert.Single(await BlobsAsync(Folder));
        Assert.Equal((CheckpointBlob, 0L), (blob.Name, blob.Properties.ContentLength));
        Assert.Equal([("clientidentifier", "me"), ("offset", "at 9"), ("sequencenumber", "9")], Sorted(blob.Metadata));
    }

    [Theory]
    [InlineData("one")]
    [InlineData("")]
    public async Task An_ownership_is_a_blob_of_the_official_name_and_metadata(string owner)
    {
        var store = Store();
        var first = Assert.Single(await store.ClaimOwnershipAsync([Desired("3", "one")], Token));

        var granted = Assert.Single(await store.ClaimOwnershipAsync([Desired("3", owner, first.Version)], Token));

        var blob = Assert.Single(await BlobsAsync(Folder));
        Assert.Equal(($"{Folder}/ownership/3", 0L), (blob.Name, blob.Properties.ContentLength));
        Assert.Equal([("ownerid", owner)], Sorted(blob.Metadata));
        Assert.Equal(blob.Properties.ETag.ToString(), granted.Version.Trim('"'));
    }

    [Fact]
    public async Task A_claim_grants_what_is_free_and_leaves_out_what_another_owner_has_taken()
    {
        await Store().ClaimOwnershipAsync([Desired("1", "other")], Token);

        var granted = await Store().ClaimOwnershipAsync([Desired("0", "one"), Desired("1", "one"), Desired("2", "one")], Token);

        Assert.Equal(["0", "2"], granted.Select(static one => one.PartitionId));
    }

    [Fact]
    public async Task Ownerships_of_this_group_alone_are_listed()
    {
        var store = Store();
        await store.ClaimOwnershipAsync([Desired("0", "one"), Desired("10", "two")], Token);
        await UpdateAsync(store, 5);
        foreach (var other in (string[])[$"{Folder}2", $"{Folder.Replace(hub, hub + "2", StringComparison.OrdinalIgnoreCase)}", "ns.example/$default"])
        {
            await raw.GetBlobClient($"{other}/ownership/1").UploadAsync(BinaryData.Empty, overwrite: true, Token);
        }

        var listed = await store.ListOwnershipAsync(Namespace, hub, ConsumerGroup, Token);

        Assert.Equal([("0", "one"), ("10", "two")], listed.Select(static one => (one.PartitionId, one.OwnerIdentifier)).Order());
        Assert.All(listed, one => Assert.Equal((Namespace, hub, ConsumerGroup), (one.FullyQualifiedNamespace, one.EventHubName, one.ConsumerGroup)));
    }

    [Fact]
    public async Task With_fencing_a_checkpoint_of_another_writer_is_kept_until_it_is_read()
    {
        var store = Store(fencing: true);
        await UpdateAsync(store, 5);
        await PutAsync("at 3", "3");

        for (var time = 0; time < 2; time++)
        {
            var refused = await Assert.ThrowsAsync<MessagingException>(() => UpdateAsync(store, 9));
            Assert.Equal(FailureKind.OwnershipLost, refused.Kind);
            Assert.Equal("3", await StoredSequenceNumberAsync());
        }

        Assert.NotNull(await ReadAsync(store));
        await UpdateAsync(store, 9);
        Assert.Equal("9", await StoredSequenceNumberAsync());
    }

    [Fact]
    public async Task With_fencing_a_first_checkpoint_does_not_replace_one_that_was_never_read()
    {
        await PutAsync("at 3", "3");

        var refused = await Assert.ThrowsAsync<MessagingException>(() => UpdateAsync(Store(fencing: true), 9));

        Assert.Equal(FailureKind.OwnershipLost, refused.Kind);
        Assert.Equal("3", await StoredSequenceNumberAsync());
    }

    [Fact]
    public async Task Without_fencing_a_checkpoint_of_another_writer_is_overwritten()
    {
        var store = Store(fencing: false);
        await UpdateAsync(store, 5);
        await PutAsync("at 7", "7");

        await UpdateAsync(store, 6);

        Assert.Equal("6", await StoredSequenceNumberAsync());
    }

    private static async Task RefusedAsync(Func<Task> call) =>
        Assert.StartsWith("the checkpoint store serves", (await Assert.ThrowsAsync<ArgumentException>(call)).Message, StringComparison.Ordinal);

    private static IEnumerable<(string, string)> Sorted(IDictionary<string, string> metadata) =>
        metadata.Select(static one => (one.Key, one.Value)).OrderBy(static one => one.Key, StringComparer.Ordinal);

    private ContainerCheckpointStore Store(bool fencing = true)
    {
        var container = fixture.Container;
        var blobs = new BlobCheckpointStore(container, container, Namespace, hub, ConsumerGroup, TimeProvider.System);
        return new ContainerCheckpointStore(new CheckpointGroup(Namespace, hub, ConsumerGroup), blobs, fencing);
    }

    private EventProcessorPartitionOwnership Desired(string partitionId, string owner, string? version = null) =>
        new()
        {
            FullyQualifiedNamespace = Namespace,
            EventHubName = hub,
            ConsumerGroup = ConsumerGroup,
            PartitionId = partitionId,
            OwnerIdentifier = owner,
            Version = version,
        };

    private Task<EventProcessorCheckpoint?> ReadAsync(ContainerCheckpointStore store) => store.GetCheckpointAsync(Namespace, hub, ConsumerGroup, "0", Token);

    private Task UpdateAsync(ContainerCheckpointStore store, long number) =>
        store.UpdateCheckpointAsync(
            Namespace,
            hub,
            ConsumerGroup,
            "0",
            "me",
            new CheckpointPosition(string.Create(CultureInfo.InvariantCulture, $"at {number}"), number),
            Token
        );

    // Another writer's checkpoint, written as the blob that it is.
    private async Task PutAsync(string offset, string? sequenceNumber)
    {
        Dictionary<string, string> metadata = new(StringComparer.Ordinal) { ["offset"] = offset };
        if (sequenceNumber is not null)
        {
            metadata["sequencenumber"] = sequenceNumber;
        }

        await raw.GetBlobClient(CheckpointBlob).UploadAsync(BinaryData.Empty.ToStream(), new BlobUploadOptions { Metadata = metadata }, Token);
    }

    private async Task<string> StoredSequenceNumberAsync() =>
        (await raw.GetBlobClient(CheckpointBlob).GetPropertiesAsync(cancellationToken: Token)).Value.Metadata["sequencenumber"];

    private async Task<List<string>> NamesAsync(string prefix) => [.. (await BlobsAsync(prefix)).Select(static blob => blob.Name)];

    private ValueTask<List<BlobItem>> BlobsAsync(string prefix) =>
        raw.GetBlobsAsync(BlobTraits.Metadata, BlobStates.None, prefix + "/", Token).ToListAsync(Token);
}
