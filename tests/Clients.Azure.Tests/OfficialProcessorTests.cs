using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>What the package's processor reports to its handlers, alone and beside others of its consumer group.</summary>
public sealed class OfficialProcessorTests : EmulatedTests
{
    private const int Partitions = 4;

    private static readonly Dictionary<string, ClientFamily> Families = new(StringComparer.Ordinal)
    {
        [ClientFamily.BuiltIn.Name] = ClientFamily.BuiltIn,
        [ClientFamily.Official] = OfficialClients.Family,
    };

    [Theory(Timeout = Limit)]
    [InlineData("official")]
    [InlineData("builtin")]
    public async Task Events_that_are_received_ahead_of_a_slow_handler_are_bounded(string family)
    {
        const int Sent = 2_000;
        const int Prefetch = 100;
        var folder = Directory.CreateTempSubdirectory("ahead-");
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        try
        {
            var journal = Path.Combine(folder.FullName, "journal");
            await using var services = await EmulatedServices.StartAsync(Token, partitions: 2, journal: journal);
            await SendAsync(services.CreateClients(), "0", Sent);
            await SendAsync(services.CreateClients(), "1", Sent);
            var recorder = new RecordingPartitions { OnBatch = (batch, _) => batch.Events[0].PartitionId == "0" ? release.Task : Task.CompletedTask };
            await using var running = Running.Start(services.Connect(Families[family]).CreateProcessor(Quick("one", Prefetch), recorder.OpenHandler), recorder);

            // The first batch of partition 0 takes as long as all of partition 1.
            await recorder.UntilAsync(static one => one.Events.Any(static received => received.PartitionId == "0"), Token);
            await recorder.UntilAsync(static one => one.Events.Count(static received => received.PartitionId == "1") == Sent, Token);

            var delivered = JournalReader.Read(journal).OfType<EventDelivered>().ToLookup(static record => record.Partition, static record => record.Count);
            release.SetResult();
            Assert.Equal(Sent, delivered["1"].Sum());
            Assert.InRange(delivered["0"].Sum(), 1, 2 * Prefetch);
        }
        finally
        {
            release.TrySetResult();
            folder.Delete(recursive: true);
        }
    }

    [Theory(Timeout = Limit)]
    [InlineData("official", "official")]
    [InlineData("official", "builtin")]
    [InlineData("builtin", "official")]
    public async Task A_joining_processor_gets_its_share_and_the_other_one_reports_the_loss(string first, string second)
    {
        await using var services = await EmulatedServices.StartAsync(Token, Partitions);
        var seen = new ConcurrentDictionary<(string Partition, long Number), bool>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task NoteAsync(EventBatch batch, CancellationToken token)
        {
            foreach (var received in batch.Events)
            {
                seen[(received.PartitionId, received.SequenceNumber)] = true;
            }

            return seen.Count == Partitions * 20 ? Task.FromResult(all.TrySetResult()) : Task.CompletedTask;
        }

        var owner = new RecordingPartitions(checkpoints: true) { OnBatch = NoteAsync };
        var joining = new RecordingPartitions(checkpoints: true) { OnBatch = NoteAsync };
        await using var one = Running.Start(services.Connect(Families[first]).CreateProcessor(Quick("one"), owner.OpenHandler), owner);
        await owner.UntilAsync(static at => at.Open.Count == Partitions, Token);
        var before = new Dictionary<string, IOwnedPartition>(owner.Open, StringComparer.Ordinal);

        await using var two = Running.Start(services.Connect(Families[second]).CreateProcessor(Quick("two"), joining.OpenHandler), joining);
        await joining.UntilAsync(static at => at.Open.Count == Partitions / 2, Token);
        await owner.UntilAsync(static at => at.Open.Count == Partitions / 2, Token);

        Assert.All(owner.Closed, static closed => Assert.Equal(PartitionStopReason.OwnershipLost, closed.Reason));
        var lost = before[owner.Closed.First().Partition];
        Assert.True(lost.Lost.IsCancellationRequested);
        var refused = await Assert.ThrowsAsync<MessagingException>(() => lost.CheckpointAsync(new EventPosition(0, "0"), Token));
        Assert.Equal(FailureKind.OwnershipLost, refused.Kind);

        var sender = services.CreateClients();
        for (var partition = 0; partition < Partitions; partition++)
        {
            await SendAsync(sender, $"{partition}", 20);
        }

        // The owner of them may change again between the two.
        await all.Task.WaitAsync(Token);
        var losses = owner.Closed.Count;
        await one.StopAsync();
        Assert.Contains(owner.Closed.Skip(losses), static closed => closed.Reason == PartitionStopReason.Shutdown);
        await joining.UntilAsync(static at => at.Open.Count == Partitions, Token);

        // Two processors of the package may fight for a link once, before the loser reads in the store that it has lost. The joining one may lose, too.
        var fights = joining.Closed.Count;
        Assert.All(joining.Closed, static closed => Assert.Equal(PartitionStopReason.OwnershipLost, closed.Reason));
        await two.StopAsync();
        Assert.Equal(Partitions, joining.Closed.Count - fights);
        Assert.All(joining.Closed.Skip(fights), static closed => Assert.Equal(PartitionStopReason.Shutdown, closed.Reason));
    }

    [Theory(Timeout = Limit)]
    [InlineData("builtin")]
    [InlineData("official")]
    public async Task Processors_with_different_checkpoint_stores_name_the_cause_of_their_fight(string family)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var apart = services.Settings with { CheckpointContainer = "archive" };
        var (recorder, other) = (new RecordingPartitions(), new RecordingPartitions());
        await using var one = Running.Start(services.Connect(Families[family]).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static at => at.Open.Count == 1, Token);
        await using var two = Running.Start(services.Connect(Families[family], apart).CreateProcessor(Quick("two"), other.OpenHandler), other);

        var failure = await Assert.ThrowsAsync<MessagingException>(async () => await await Task.WhenAny(one.Task, two.Task).WaitAsync(Token));
        Assert.Equal(FailureKind.Permanent, failure.Kind);
        Assert.EndsWith("another processor with a different checkpoint store", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task Links_that_end_again_and_again_are_not_a_fight()
    {
        var ending = new FaultRule
        {
            Name = "ending",
            Points = [FaultPoint.Attach],
            Action = FaultAction.Refuse,
            Reason = FaultReason.Named("limit"),
            Partition = "0",
            Limit = 16,
        };
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1, fault: ending);
        await SendAsync(services.CreateClients(), null, 10);
        var patient = Quick("one") with { UnreachableLimit = TimeSpan.FromSeconds(100) };
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(
            services.Connect(OfficialClients.Family, retry: RetryOptions.Once).CreateProcessor(patient, recorder.OpenHandler),
            recorder
        );

        await recorder.UntilCountAsync(10, Token);
        Assert.InRange(recorder.Closed.Count, LinkContentionDetector.Limit, int.MaxValue);
        await running.StopAsync();
    }

    [Theory(Timeout = Limit)]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_checkpoint_without_an_offset_is_resumed_by_its_sequence_number(bool namesNone)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 30);

        // What the package's own processor client writes, and what has no offset at all.
        await clients.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(19, namesNone ? "no offset" : null), "test", null, fenced: false, Token);
        var recorder = new RecordingPartitions(checkpoints: true);
        await using var resumed = Running.Start(services.Connect(OfficialClients.Family).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);

        await recorder.UntilCountAsync(10, Token);
        Assert.Equal(Enumerable.Range(20, 10).Select(static number => (long)number), recorder.Events.Select(static one => one.SequenceNumber));
        await resumed.StopAsync();
        Assert.Equal(29, (await clients.CheckpointStore.ReadCheckpointAsync("0", Token))?.Position.SequenceNumber);
    }

    [Fact(Timeout = Limit)]
    public async Task An_event_that_the_package_cannot_read_ends_the_processor_with_its_place()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(null, "0", Token);
        var properties = new Dictionary<string, object?>(StringComparer.Ordinal) { ["value"] = new AmqpChar(0x1F30D) };
        Assert.True(batch.TryAdd(Event("odd") with { Properties = properties }));
        await writer.SendAsync(batch, Token);
        var processor = services.Connect(OfficialClients.Family).CreateProcessor(Quick("one"), new RecordingPartitions().OpenHandler);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => processor.RunAsync(Token));
        Assert.Equal(FailureKind.Permanent, failure.Kind);

        // The package reads when it starts, too. It then does not name the partition.
        Assert.Matches("^event hub 'hub'( partition 0)?: an event that the package cannot read: ", failure.Message);
    }

    [Theory(Timeout = Limit)]
    [InlineData(0, null, "delivered event 1 first and left out 1 event")]
    [InlineData(2, null, "delivered event 3 after 1 and left out 1 event")]
    [InlineData(3, 2L, "delivered event 4 after 2 and left out 1 event")]
    public async Task An_event_that_the_package_leaves_out_ends_the_processor_before_the_next_one(int odd, long? checkpoint, string expected)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await using var writer = clients.CreateEventHubWriter();
        for (var index = 0; index < 5; index++)
        {
            var batch = await writer.CreateBatchAsync(null, "0", Token);
            object value = index == odd ? new AmqpDecimal(new byte[4]) : 1;
            Assert.True(batch.TryAdd(Event($"e{index}") with { Properties = new Dictionary<string, object?>(StringComparer.Ordinal) { ["value"] = value } }));
            await writer.SendAsync(batch, Token);
        }

        if (checkpoint is { } stored)
        {
            await clients.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(stored, null), "test", null, fenced: false, Token);
        }

        // The package drops the whole batch in which it cannot decode an event: here a batch is one event.
        var recorder = new RecordingPartitions(checkpoints: true);
        var options = Quick("one", prefetch: 0) with { BatchSize = 1 };
        await using var running = Running.Start(services.Connect(OfficialClients.Family).CreateProcessor(options, recorder.OpenHandler), recorder);

        var ended = await Assert.ThrowsAsync<MessagingException>(() => running.Task);

        Assert.Equal((FailureKind.Permanent, $"partition 0: the package {expected}, which it may be unable to decode"), (ended.Kind, ended.Message));
        Assert.DoesNotContain(recorder.Events, one => one.SequenceNumber >= odd);
    }

    [Fact(Timeout = Limit)]
    public async Task A_handlers_exception_ends_the_processor_and_closes_every_partition()
    {
        await using var services = await EmulatedServices.StartAsync(Token, Partitions);
        var recorder = new RecordingPartitions() { OnBatch = static (_, _) => throw new InvalidOperationException("handler failed") };
        await using var running = Running.Start(services.Connect(OfficialClients.Family).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static one => one.Open.Count == Partitions, Token);

        await SendAsync(services.CreateClients(), "2", 1);

        var thrown = await Assert.ThrowsAsync<InvalidOperationException>(() => running.Task);
        Assert.Equal("handler failed", thrown.Message);
        Assert.Equal(Enumerable.Repeat(PartitionStopReason.Shutdown, Partitions), recorder.Closed.Select(static closed => closed.Reason));
        Assert.Empty(running.Processor.OwnedPartitions);
    }

    [Fact(Timeout = Limit)]
    public async Task Stopping_waits_for_the_handlers_and_gives_no_partition_up_before()
    {
        await using var services = await EmulatedServices.StartAsync(Token, Partitions);
        var store = services.CreateClients().CheckpointStore;
        var owners = new ConcurrentQueue<string>();
        var recorder = new RecordingPartitions()
        {
            // Longer than the package takes to give everything up.
            OnClose = async partition =>
            {
                for (var times = 0; times < 50; times++)
                {
                    owners.Enqueue((await store.ListOwnershipsAsync(Token)).Single(one => one.PartitionId == partition).OwnerId);
                }
            },
        };
        await using var running = Running.Start(services.Connect(OfficialClients.Family).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static at => at.Open.Count == Partitions, Token);

        await running.StopAsync();

        Assert.Equal(Partitions, recorder.Closed.Count);
        Assert.All(owners, static owner => Assert.Equal("one", owner));
        Assert.All(await store.ListOwnershipsAsync(Token), static one => Assert.Empty(one.OwnerId));
    }

    [Fact(Timeout = Limit)]
    public async Task A_partition_does_not_begin_again_before_its_handler_is_closed()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        var closing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var mayClose = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var recorder = new RecordingPartitions(checkpoints: true)
        {
            OnClose = _ =>
            {
                closing.TrySetResult();
                return mayClose.Task;
            },
        };
        await using var running = Running.Start(services.Connect(OfficialClients.Family).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await SendAsync(clients, "0", 1);
        await recorder.UntilCountAsync(1, Token);

        // Only the link is taken, and left again. The package continues as the owner that it is.
        await using (
            Running.Start(clients.CreateProcessor(Quick("two"), new RecordingPartitions().OpenHandler, StoreApart(clients)), new RecordingPartitions())
        )
        {
            await closing.Task.WaitAsync(Token);
        }

        HashSet<string> versions = [];
        while (versions.Count < 5)
        {
            versions.Add(Assert.Single(await clients.CheckpointStore.ListOwnershipsAsync(Token)).ETag);
        }

        Assert.Equal(["0"], recorder.Opened);
        mayClose.SetResult();
        await recorder.UntilAsync(static at => at.Opened.Count == 2 && at.Closed.Count == 1, Token);
        await SendAsync(clients, "0", 20);
        await recorder.UntilCountAsync(21, Token);
        await running.StopAsync();

        Assert.Equal([PartitionStopReason.OwnershipLost, PartitionStopReason.Shutdown], recorder.Closed.Select(static closed => closed.Reason));
        Assert.Equal(20, (await clients.CheckpointStore.ReadCheckpointAsync("0", Token))?.Position.SequenceNumber);
    }

    [Fact(Timeout = Limit)]
    public async Task Clients_that_have_done_everything_close_and_may_be_closed_again()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await using var clients = OfficialClients.Family.Connect(services.Settings, new ClientOptions { Retry = EmulatedServices.ShortRetries });
        await using (var writer = clients.CreateBufferedEventWriter()!)
        {
            var settled = new TaskCompletionSource<MessagingException?>(TaskCreationOptions.RunContinuationsAsynchronously);
            await writer.AddAsync(Event("e0"), null, settled.SetResult, Token);
            await writer.FlushAsync(Token);
            Assert.Null(await settled.Task.WaitAsync(Token));
        }

        // The connection below the writer is shared and continues.
        var read = await clients.ReadPartitionAsync("0", -1, 0, Token).ToListAsync(Token);
        Assert.Equal("e0", Text(Assert.Single(Assert.Single(read).Events)));
        Assert.True(await clients.GetBlobContainer("archive").ExistsAsync(Token));
        await clients.DisposeAsync();
    }
}
