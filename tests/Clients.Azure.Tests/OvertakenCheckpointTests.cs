using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Another program writes the checkpoint of a partition that a processor owns, in either family.</summary>
public sealed class OvertakenCheckpointTests : EmulatedTests
{
    private const int Sent = 10;

    /// <summary>Where the other writer sets the partition back to: the last event that it calls complete.</summary>
    private const long SetBackTo = 3;

    public static TheoryData<string, int> Rows =>
        new()
        {
            { ClientFamily.BuiltIn.Name, 0 },
            { ClientFamily.BuiltIn.Name, 5 },
            { ClientFamily.Official, 0 },
            { ClientFamily.Official, 5 },
        };

    [Theory(Timeout = Limit)]
    [MemberData(nameof(Rows))]
    public async Task The_same_processor_opens_the_partition_again_from_the_stored_checkpoint(string family, int arriving)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var sender = services.CreateClients();
        var clients = Connect(services, family);
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await SendAsync(sender, "0", Sent);
        await recorder.UntilCountAsync(Sent, Token);
        var first = recorder.Open["0"];
        await first.CheckpointAsync(new EventPosition(7, "7"), Token);

        await SetBackAsync(services);
        var refused = await Assert.ThrowsAsync<MessagingException>(() => first.CheckpointAsync(new EventPosition(9, "9"), Token));
        Assert.Equal(FailureKind.OwnershipLost, refused.Kind);
        Assert.True(first.Lost.IsCancellationRequested);
        Assert.Equal(SetBackTo, await StoredAsync(sender));

        await recorder.UntilAsync(static at => at.Opened.Count == 2 && at.Open.Count == 1, Token);
        Assert.Equal([("0", PartitionStopReason.OwnershipLost)], recorder.Closed);
        var second = recorder.Open["0"];
        Assert.NotSame(first, second);
        Assert.Equal(SetBackTo, second.StartedFrom?.Position.SequenceNumber);
        Assert.Equal("one", Assert.Single(await sender.CheckpointStore.ListOwnershipsAsync(Token)).OwnerId);

        await SendAsync(sender, "0", arriving, first: Sent);
        var last = Sent + arriving - 1;
        await recorder.UntilAsync(at => at.Events.Count > Sent && at.Events[^1].SequenceNumber == last, Token);
        Assert.Equal(Numbers(0, Sent - 1).Concat(Numbers(SetBackTo + 1, last)), recorder.Events.Select(static one => one.SequenceNumber));
        await second.CheckpointAsync(new EventPosition(last, $"{last}"), Token);
        Assert.Equal(last, await StoredAsync(sender));

        await running.StopAsync();
        Assert.Equal([PartitionStopReason.OwnershipLost, PartitionStopReason.Shutdown], recorder.Closed.Select(static closed => closed.Reason));
    }

    [Theory(Timeout = Limit)]
    [InlineData("builtin")]
    [InlineData(ClientFamily.Official)]
    public async Task A_handler_whose_checkpoint_is_refused_ends_the_incarnation_and_not_the_processor(string family)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var sender = services.CreateClients();
        var recorder = new RecordingPartitions(checkpoints: true);
        await using var running = Running.Start(Connect(services, family).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await SendAsync(sender, "0", Sent);
        await UntilStoredAsync(sender, Sent - 1, running);

        await SetBackAsync(services);
        await SendAsync(sender, "0", 1, first: Sent);
        await UntilStoredAsync(sender, Sent, running);

        Assert.Equal([("0", PartitionStopReason.OwnershipLost)], recorder.Closed);
        Assert.Equal(2, recorder.Opened.Count);
        Assert.Equal(Numbers(0, Sent).Concat(Numbers(SetBackTo + 1, Sent)), recorder.Events.Select(static one => one.SequenceNumber));
        await running.StopAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task A_partition_that_another_owner_had_in_between_is_read_again_and_logged()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var sender = services.CreateClients();
        var log = new LogRecorder();
        var clients = OfficialClients.Family.Connect(services.Settings, new ClientOptions { Retry = EmulatedServices.ShortRetries, LoggerFactory = log });
        services.Own(clients);
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await SendAsync(sender, "0", Sent);
        await recorder.UntilCountAsync(Sent, Token);
        await recorder.Open["0"].CheckpointAsync(new EventPosition(SetBackTo, $"{SetBackTo}"), Token);

        // Another processor has claimed the partition and given it up, while this one was paused.
        var settings = services.Settings;
        await services
            .CreateClients()
            .GetBlobContainer(settings.CheckpointContainer)
            .SetMetadataAsync(
                CheckpointBlobName.Ownership(settings.EventHubNamespace, settings.EventHubName, settings.ConsumerGroup, "0"),
                new Dictionary<string, string>(StringComparer.Ordinal) { ["ownerid"] = "" },
                BlobCondition.None,
                Token
            );
        await recorder.UntilAsync(static at => at.Opened.Count == 2 && at.Events.Count == Sent + Sent - 1 - SetBackTo, Token);

        Assert.Equal(
            "partition 0: another processor owned it in the meantime, so it is read again from the stored checkpoint",
            Assert.Single(log.Of("ClaimedAgain")).Message
        );
        Assert.Empty(log.Of("CheckpointRefused"));
        Assert.Equal(PartitionStopReason.OwnershipLost, Assert.Single(recorder.Closed).Reason);
        await running.StopAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task A_partition_is_read_again_after_a_claim_under_another_name_that_the_package_does_not_see()
    {
        // Another owner's name is put over the first claim. Its version stays the one that the package renews.
        var stolen = new FaultRule
        {
            Name = "stolen",
            Points = [FaultPoint.OwnershipWrite],
            Action = FaultAction.Steal,
            Nth = 1,
        };
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1, fault: stolen);
        var sender = services.CreateClients();
        var clock = new SteppedWallClock();
        var options = Quick("one") with { BalancingInterval = TimeSpan.FromSeconds(5), OwnershipExpiry = TimeSpan.FromSeconds(30), TimeProvider = clock };
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(Connect(services, ClientFamily.Official).CreateProcessor(options, recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static at => at.Open.Count == 1, Token);
        var first = recorder.Open["0"];

        clock.Step = options.OwnershipExpiry;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.EnsureOwnedAsync(Token).AsTask());
        Assert.True(first.Lost.IsCancellationRequested);
        clock.Step = TimeSpan.Zero;
        await SendAsync(sender, "0", Sent);
        await recorder.UntilCountAsync(Sent, Token);

        Assert.Equal([("0", PartitionStopReason.OwnershipLost)], recorder.Closed);
        Assert.Equal(2, recorder.Opened.Count);
        await running.StopAsync();
    }

    private static IMessagingClients Connect(EmulatedServices services, string family) =>
        services.Connect(family == ClientFamily.Official ? OfficialClients.Family : ClientFamily.BuiltIn);

    // Asks the store again and again. Throws the failure that has ended the processor in the meantime.
    private static async Task UntilStoredAsync(BuiltInClients clients, long sequenceNumber, Running running)
    {
        while (await StoredAsync(clients) != sequenceNumber)
        {
            if (running.Task.IsCompleted)
            {
                await running.Task;
            }
        }
    }

    private static IEnumerable<long> Numbers(long from, long through) => Enumerable.Range((int)from, (int)(through - from + 1)).Select(static one => (long)one);

    private static async Task<long?> StoredAsync(BuiltInClients clients) =>
        (await clients.CheckpointStore.ReadCheckpointAsync("0", Token))?.Position.SequenceNumber;

    // The blob alone is changed: no store of ours has a part in it.
    private static async Task SetBackAsync(EmulatedServices services)
    {
        var settings = services.Settings;
        var blob = CheckpointBlobName.Checkpoint(settings.EventHubNamespace, settings.EventHubName, settings.ConsumerGroup, "0");
        await services
            .CreateClients()
            .GetBlobContainer(settings.CheckpointContainer)
            .SetMetadataAsync(
                blob,
                new Dictionary<string, string>(StringComparer.Ordinal)
                {
                    ["offset"] = $"{SetBackTo}",
                    ["sequencenumber"] = $"{SetBackTo}",
                    ["clientidentifier"] = "another program",
                },
                BlobCondition.None,
                Token
            );
    }

    private sealed class SteppedWallClock : TimeProvider
    {
        public TimeSpan Step { get; set; }

        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Step;
    }
}
