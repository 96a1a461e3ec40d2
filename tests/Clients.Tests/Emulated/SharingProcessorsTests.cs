using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class SharingProcessorsTests : EmulatedTests
{
    [Theory(Timeout = Limit)]
    [InlineData(2, Balancing.Greedy)]
    [InlineData(3, Balancing.Greedy)]
    [InlineData(3, Balancing.Balanced)]
    public async Task Processors_end_with_even_shares_and_every_event_is_processed(int processors, Balancing balancing)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 8);
        var all = new RecordingPartitions(checkpoints: true);
        List<Running> running = [];
        for (var index = 0; index < processors; index++)
        {
            var one = Running.Start(
                services
                    .CreateClients()
                    .CreateProcessor(Quick($"p{index}") with { Balancing = balancing, BalancingInterval = TimeSpan.FromMilliseconds(100) }, all.OpenHandler),
                all
            );
            services.Own(one);
            running.Add(one);
        }

        // Shares are even when the store shows it. A partition that a processor has not noticed yet does not count as its own.
        var store = services.CreateClients().CheckpointStore;
        int[] shares;
        do
        {
            shares = [.. (await store.ListOwnershipsAsync(Token)).GroupBy(static one => one.OwnerId).Select(static owner => owner.Count())];
        } while (shares.Length < processors || shares.Sum() < 8 || shares.Max() - shares.Min() > 1);

        var sender = services.CreateClients();
        for (var partition = 0; partition < 8; partition++)
        {
            await SendAsync(sender, $"{partition}", 20, $"{partition}-");
        }

        await all.UntilAsync(static one => one.Events.Select(Text).Distinct(StringComparer.Ordinal).Count() == 160, Token);
        foreach (var one in running)
        {
            await one.StopAsync();
        }

        Assert.All(await store.ListOwnershipsAsync(Token), static ownership => Assert.Empty(ownership.OwnerId));
        for (var partition = 0; partition < 8; partition++)
        {
            Assert.Equal(19, (await store.ReadCheckpointAsync($"{partition}", Token))?.Position.SequenceNumber);
        }
    }

    [Fact(Timeout = Limit)]
    public async Task The_partitions_of_a_processor_that_vanished_are_taken_over_after_the_expiry()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 4);
        var clients = services.CreateClients();
        var store = clients.CheckpointStore;

        // The state that a killed process leaves: ownerships without renewal, and a checkpoint.
        await SendAsync(clients, "2", 30);
        for (var partition = 0; partition < 4; partition++)
        {
            Assert.NotNull(await store.ClaimAsync($"{partition}", "killed", null, Token));
        }

        await store.WriteCheckpointAsync("2", new EventPosition(9, "9"), "killed", null, fenced: true, Token);
        var recorder = new RecordingPartitions(checkpoints: true);
        await using var running = Running.Start(clients.CreateProcessor(Quick("heir"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static one => one.Open.Count == 4, Token);
        await recorder.UntilCountAsync(20, Token);
        Assert.Equal(Enumerable.Range(10, 20).Select(static index => (long)index), recorder.Events.Select(static one => one.SequenceNumber));
        Assert.All(await store.ListOwnershipsAsync(Token), static ownership => Assert.Equal("heir", ownership.OwnerId));
    }

    [Fact(Timeout = Limit)]
    public async Task A_reader_that_takes_the_link_ends_the_partition_as_lost()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        var loser = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Seldom("one"), loser.OpenHandler), loser);
        await SendAsync(clients, "0", 1);
        await loser.UntilCountAsync(1, Token);
        var owned = loser.Open["0"];

        // The same store would keep a second processor away: only the link is taken.
        var thief = services.CreateClients();
        var other = StoreApart(thief);
        var winner = new RecordingPartitions();
        await using var stealing = Running.Start(thief.CreateProcessor(Quick("two"), winner.OpenHandler, other), winner);
        await loser.UntilAsync(static one => !one.Closed.IsEmpty, Token);
        Assert.Equal([("0", PartitionStopReason.OwnershipLost)], loser.Closed);
        Assert.True(owned.Lost.IsCancellationRequested);
        var refused = await Assert.ThrowsAsync<MessagingException>(() => owned.CheckpointAsync(new EventPosition(0, "0"), Token));
        Assert.Equal(FailureKind.OwnershipLost, refused.Kind);
        await winner.UntilCountAsync(1, Token);
    }

    [Fact(Timeout = Limit)]
    public async Task A_processor_that_shares_no_store_is_noticed_by_the_fight_for_the_link()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var one = services.CreateClients();
        var two = services.CreateClients();
        var other = StoreApart(two);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var first = one.CreateProcessor(Quick("one"), new RecordingPartitions().OpenHandler).RunAsync(stop.Token);
        var second = two.CreateProcessor(Quick("two"), new RecordingPartitions().OpenHandler, other).RunAsync(stop.Token);

        var failure = await Assert.ThrowsAsync<MessagingException>(async () => await await Task.WhenAny(first, second));

        Assert.Equal(FailureKind.Permanent, failure.Kind);
        Assert.EndsWith("another processor with a different checkpoint store", failure.Message, StringComparison.Ordinal);
        await stop.CancelAsync();
        await Task.WhenAll(first, second)
            .ContinueWith(static _ => { }, TestContext.Current.CancellationToken, TaskContinuationOptions.None, TaskScheduler.Default);
    }

    [Fact(Timeout = Limit)]
    public async Task An_ownership_that_was_taken_in_the_store_is_given_up()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static one => one.Open.Count == 1, Token);
        Ownership? taken = null;
        while (taken is null)
        {
            var present = Assert.Single(await clients.CheckpointStore.ListOwnershipsAsync(Token));
            taken = await clients.CheckpointStore.ClaimAsync("0", "thief", present.ETag, Token);
        }

        await recorder.UntilAsync(static one => !one.Closed.IsEmpty, Token);
        Assert.Equal([("0", PartitionStopReason.OwnershipLost)], recorder.Closed);
    }

    [Fact(Timeout = Limit)]
    public async Task Another_checkpoint_writer_ends_the_incarnation_and_the_next_one_reads_after_its_position()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Seldom("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static one => one.Open.Count == 1, Token);
        var owned = recorder.Open["0"];
        await SendAsync(clients, "0", 7);
        await recorder.UntilCountAsync(7, Token);
        await clients.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(5, "5"), "stranger", null, fenced: false, Token);
        var refused = await Assert.ThrowsAsync<MessagingException>(() => owned.CheckpointAsync(new EventPosition(1, "1"), Token));
        Assert.Equal(FailureKind.OwnershipLost, refused.Kind);
        await recorder.UntilAsync(static one => !one.Closed.IsEmpty, Token);
        Assert.Equal([("0", PartitionStopReason.OwnershipLost)], recorder.Closed);
        Assert.Equal(5, (await clients.CheckpointStore.ReadCheckpointAsync("0", Token))?.Position.SequenceNumber);

        // The next cycle of balancing is a minute away: the ownership was kept.
        await recorder.UntilCountAsync(8, Token);
        Assert.Equal(6, recorder.Events[^1].SequenceNumber);
        await recorder.Open["0"].CheckpointAsync(new EventPosition(6, "6"), Token);
        Assert.Equal("one", Assert.Single(await clients.CheckpointStore.ListOwnershipsAsync(Token)).OwnerId);
    }

    [Fact(Timeout = Limit)]
    public async Task A_processor_that_is_overtaken_twice_gives_the_partition_up()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Seldom("one"), recorder.OpenHandler), recorder);
        for (var time = 1; time <= 2; time++)
        {
            await recorder.UntilAsync(one => one.Open.Count == 1 && one.Closed.Count == time - 1, Token);
            var owned = recorder.Open["0"];
            await clients.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(time, $"{time}"), "stranger", null, fenced: false, Token);
            await Assert.ThrowsAsync<MessagingException>(() => owned.CheckpointAsync(new EventPosition(9, "9"), Token));
            await recorder.UntilAsync(one => one.Closed.Count == time, Token);
        }

        Ownership left;
        do
        {
            left = Assert.Single(await clients.CheckpointStore.ListOwnershipsAsync(Token));
        } while (left.OwnerId.Length > 0);

        Assert.Empty(recorder.Open);
        Assert.Equal(2, recorder.Closed.Count);
    }

    [Fact(Timeout = Limit)]
    public async Task Ownership_is_kept_while_a_handler_takes_longer_than_the_expiry_to_close()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        var drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var slow = new RecordingPartitions() { OnBatch = (_, _) => drained.Task };
        await using var running = Running.Start(clients.CreateProcessor(Quick("slow"), slow.OpenHandler), slow);
        await SendAsync(clients, "0", 1);
        await slow.UntilCountAsync(1, Token);
        var stopping = running.StopAsync();
        var rival = new RecordingPartitions();
        await using var other = Running.Start(services.CreateClients().CreateProcessor(Quick("rival"), rival.OpenHandler), rival);

        // Longer than the expiry by the store's own clock.
        var first = Assert.Single(await clients.CheckpointStore.ListOwnershipsAsync(Token));
        var last = first;
        while (last.LastModified - first.LastModified < TimeSpan.FromSeconds(4))
        {
            last = Assert.Single(await clients.CheckpointStore.ListOwnershipsAsync(Token));
            Assert.Equal("slow", last.OwnerId);
        }

        drained.SetResult();
        await stopping;
        Assert.Equal([("0", PartitionStopReason.Shutdown)], slow.Closed);
        await rival.UntilCountAsync(1, Token);
    }

    [Fact(Timeout = Limit)]
    public async Task A_store_that_fails_now_and_then_does_not_end_the_processor()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 4);
        var clients = services.CreateClients();
        var store = new FlakyCheckpointStore(clients.CheckpointStore);
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(
            clients.CreateProcessor(Quick("one") with { BalancingInterval = TimeSpan.FromMilliseconds(20) }, recorder.OpenHandler, store),
            recorder
        );
        await recorder.UntilAsync(static one => one.Open.Count == 4, Token);
        await SendAsync(clients, "3", 5);
        await recorder.UntilCountAsync(5, Token);
        await running.StopAsync();
        Assert.True(store.Failures > 0);
    }

    [Fact(Timeout = Limit)]
    public async Task A_store_that_is_gone_for_good_ends_the_processor()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients(services.Settings with { CheckpointContainer = "nowhere" });
        var failure = await Assert.ThrowsAsync<MessagingException>(() =>
            clients.CreateProcessor(Quick("one"), new RecordingPartitions().OpenHandler).RunAsync(Token)
        );
        Assert.Equal(FailureKind.NotFound, failure.Kind);
        Assert.Contains("nowhere", failure.Message, StringComparison.Ordinal);
    }
}
