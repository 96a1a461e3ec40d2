using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Settings;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

public sealed class BacklogTests : IAsyncDisposable
{
    private readonly VirtualClock clock = new();
    private readonly Hub hub = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_backlog_is_the_events_between_the_stored_checkpoints_and_the_ends()
    {
        hub.Ends["0"] = 99;
        hub.Ends["1"] = 49;
        hub.Ends["2"] = -1;
        hub.Stored["0"] = 89;

        var backlog = await ReadAsync();

        Assert.Equal(60, backlog.Events);
        Assert.False(backlog.IsDrained);
    }

    [Fact]
    public async Task The_backlog_has_the_last_event_of_each_partition_when_several_have_events()
    {
        hub.Ends["0"] = 99;
        hub.Ends["1"] = 49;
        hub.Ends["2"] = -1;
        hub.Stored["1"] = 9;
        var several = await ReadAsync();
        hub.Stored["1"] = 49;
        var one = await ReadAsync();

        Assert.Equal([99, 49, null, null], new[] { "0", "1", "2", "3" }.Select(several.LastAmongSeveral));
        Assert.Equal([null, null, null], new[] { "0", "1", "2" }.Select(one.LastAmongSeveral));
    }

    [Fact]
    public async Task Is_drained_from_the_start_when_there_is_nothing_to_do()
    {
        hub.Ends["0"] = 99;
        hub.Ends["1"] = -1;
        hub.Stored["0"] = 99;

        var backlog = await ReadAsync();

        Assert.True(backlog.IsDrained);
        await backlog.WaitAsync(() => [], Cancellation);
    }

    [Fact]
    public async Task Ends_with_the_last_confirmed_checkpoint_without_asking_the_store()
    {
        hub.Ends["0"] = 9;
        hub.Ends["1"] = 9;
        var backlog = await ReadAsync();
        var reads = hub.Reads;
        var waiting = backlog.WaitAsync(() => ["0", "1"], Cancellation);

        Assert.Equal(5, backlog.Confirm("0", 4));
        Assert.Equal(0, backlog.Confirm("0", 9));
        clock.Advance(TimeSpan.FromSeconds(5));
        Assert.False(waiting.IsCompleted);
        backlog.Confirm("1", 12);
        await waiting;

        Assert.Equal(reads, hub.Reads);
    }

    [Fact]
    public async Task Sees_what_another_consumer_has_stored()
    {
        hub.Ends["0"] = 9;
        hub.Ends["1"] = 9;
        var backlog = await ReadAsync();
        var waiting = backlog.WaitAsync(() => ["0"], Cancellation);
        backlog.Confirm("0", 9);

        hub.Stored["1"] = 9;
        clock.Advance(TimeSpan.FromMilliseconds(500));

        await waiting;
    }

    [Fact]
    public async Task Asks_again_after_a_failure_that_may_heal()
    {
        hub.Ends["0"] = 9;
        var backlog = await ReadAsync();
        var waiting = backlog.WaitAsync(() => [], Cancellation);

        hub.Failing = true;
        clock.Advance(TimeSpan.FromMilliseconds(500));
        hub.Failing = false;
        hub.Stored["0"] = 9;
        while (!waiting.IsCompleted)
        {
            await Task.WhenAny(waiting, clock.UntilTimerIsSetAsync(Cancellation));
            clock.Advance(TimeSpan.FromMilliseconds(500));
        }

        await waiting;
    }

    [Fact]
    public async Task Refuses_a_checkpoint_beyond_the_end()
    {
        hub.Ends["0"] = 500;
        hub.Stored["0"] = 999;

        var refusal = await Assert.ThrowsAsync<FailureException>(() => ReadAsync());

        Assert.Equal((FailureCause.Dependency, "checkpoint 999 is beyond the end 500 of partition 0 of event hub 'hub'"), (refusal.Cause, refusal.Message));
    }

    [Theory]
    [InlineData(1300, "1,204 events of partition 0 are gone: the checkpoint is 95, the first remaining event 1300. --accept-gap continues without them")]
    [InlineData(97, "1 event of partition 0 is gone: the checkpoint is 95, the first remaining event 97. --accept-gap continues without them")]
    [InlineData(1501, "1,405 events of partition 0 are gone: the checkpoint is 95, the first remaining event none. --accept-gap continues without them")]
    public async Task Refuses_to_pass_over_events_that_retention_has_taken(long begin, string expected)
    {
        hub.Ends["0"] = 1500;
        hub.Begins["0"] = begin;
        hub.Stored["0"] = 95;

        var refusal = await Assert.ThrowsAsync<FailureException>(() => ReadAsync());

        Assert.Equal((FailureCause.Dependency, expected), (refusal.Cause, refusal.Message));
    }

    [Fact]
    public async Task Expired_events_are_skipped_when_the_run_accepts_the_gap()
    {
        hub.Ends["0"] = 1500;
        hub.Begins["0"] = 1300;
        hub.Stored["0"] = 95;

        Assert.Equal(201, (await ReadAsync(acceptGap: true)).Events);
    }

    [Fact]
    public async Task Begins_at_the_oldest_event_left_where_there_is_no_checkpoint()
    {
        hub.Ends["0"] = 1500;
        hub.Begins["0"] = 1300;

        Assert.Equal(201, (await ReadAsync()).Events);
    }

    [Fact]
    public async Task Takes_the_first_event_after_the_checkpoint_for_no_gap()
    {
        hub.Ends["0"] = 1500;
        hub.Begins["0"] = 96;
        hub.Stored["0"] = 95;

        Assert.Equal(1405, (await ReadAsync()).Events);
    }

    [Fact]
    public async Task Refuses_a_hub_that_has_fewer_partitions_than_its_group_has_owned()
    {
        hub.Ends["0"] = hub.Ends["1"] = 10;
        hub.Owned.AddRange(["0", "1", "2", "3"]);

        var refusal = await Assert.ThrowsAsync<FailureException>(() => ReadAsync());

        Assert.Equal(
            (FailureCause.Dependency, "event hub 'hub' has 2 partitions, its checkpoint store has 4: the hub was created again"),
            (refusal.Cause, refusal.Message)
        );
    }

    [Fact]
    public async Task A_checkpoint_that_holds_only_the_offset_of_the_end_is_recognised()
    {
        hub.Ends["0"] = 99;
        hub.Stored["0"] = EventPosition.UnknownSequenceNumber;
        hub.StoredOffset = "end";

        Assert.True((await ReadAsync()).IsDrained);
    }

    [Fact]
    public async Task A_group_that_continues_during_the_look_is_not_an_error()
    {
        hub.Ends["0"] = 100;
        hub.Stored["0"] = 90;
        hub.BetweenLooks = () => hub.Ends["0"] = hub.Stored["0"] = 110;

        Assert.Equal(20, (await ReadAsync()).Events);
    }

    public ValueTask DisposeAsync() => hub.DisposeAsync();

    private Task<Backlog> ReadAsync(bool acceptGap = false) => Backlog.ReadAsync(hub, clock, acceptGap, Cancellation);

    /// <summary>A hub whose ends and checkpoints the test sets.</summary>
    private sealed class Hub : IMessagingClients, ICheckpointStore
    {
        public Dictionary<string, long> Ends { get; } = new(StringComparer.Ordinal);

        public Dictionary<string, long> Stored { get; } = new(StringComparer.Ordinal);

        public string? StoredOffset { get; set; }

        /// <summary>What happens between the first and the second look at a partition.</summary>
        public Action? BetweenLooks { get; set; }

        public bool Failing { get; set; }

        /// <summary>The first retained event by partition. 0 where nothing is set, above the end when all are gone.</summary>
        public Dictionary<string, long> Begins { get; } = new(StringComparer.Ordinal);

        public List<string> Owned { get; } = [];

        public int Reads { get; private set; }

        public ICheckpointStore CheckpointStore => this;

        public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) =>
            Task.FromResult(new EventHubProperties("hub", default, [.. Ends.Keys]));

        public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken)
        {
            PartitionProperties properties = new(
                partitionId,
                Ends[partitionId] < 0 ? -1 : Begins.GetValueOrDefault(partitionId),
                Ends[partitionId],
                "end",
                Ends[partitionId] < 0 || Begins.GetValueOrDefault(partitionId) > Ends[partitionId]
            );
            Looked();
            return Task.FromResult(properties);
        }

        public Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken)
        {
            Reads++;
            if (Failing)
            {
                throw new MessagingException(FailureKind.Transient, "busy");
            }

            var checkpoint = Stored.TryGetValue(partitionId, out var sequence)
                ? new Checkpoint(partitionId, new EventPosition(sequence, StoredOffset), null, "1")
                : null;
            Looked();
            return Task.FromResult(checkpoint);
        }

        private void Looked()
        {
            BetweenLooks?.Invoke();
            BetweenLooks = null;
        }

        public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyList<Ownership>>([.. Owned.Select(id => new Ownership(id, "somebody", default, "1"))]);

        public Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task<Checkpoint> WriteCheckpointAsync(
            string partitionId,
            EventPosition position,
            string clientId,
            Checkpoint? previous,
            bool fenced,
            CancellationToken cancellationToken
        ) => throw new NotSupportedException();

        public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
            string partitionId,
            long afterSequenceNumber,
            long throughSequenceNumber,
            CancellationToken cancellationToken
        ) => throw new NotSupportedException();

        public IEventHubWriter CreateEventHubWriter() => throw new NotSupportedException();

        public IBufferedEventWriter CreateBufferedEventWriter() => throw new NotSupportedException();

        public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
            throw new NotSupportedException();

        public IMessageSender CreateMessageSender(string entity) => throw new NotSupportedException();

        public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

        public IBlobContainer GetBlobContainer(string name) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
