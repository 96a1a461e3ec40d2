using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Pipeline;

public sealed class BacklogTests : IAsyncDisposable
{
    private readonly VirtualClock clock = new();
    private readonly Hub hub = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Is_what_lies_between_the_stored_checkpoints_and_the_ends()
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

        var refusal = await Assert.ThrowsAsync<ExitException>(ReadAsync);

        Assert.Equal((4, "checkpoint 999 is beyond the end 500 of partition 0 of event hub 'hub'"), (refusal.ExitCode, refusal.Message));
    }

    [Fact]
    public async Task Knows_a_checkpoint_that_holds_only_the_offset_of_the_end()
    {
        hub.Ends["0"] = 99;
        hub.Stored["0"] = EventPosition.UnknownSequenceNumber;
        hub.StoredOffset = "end";

        Assert.True((await ReadAsync()).IsDrained);
    }

    [Fact]
    public async Task Takes_no_offence_at_a_group_that_goes_on_while_it_looks()
    {
        hub.Ends["0"] = 100;
        hub.Stored["0"] = 90;
        hub.BetweenLooks = () => hub.Ends["0"] = hub.Stored["0"] = 110;

        Assert.Equal(20, (await ReadAsync()).Events);
    }

    public ValueTask DisposeAsync() => hub.DisposeAsync();

    private Task<Backlog> ReadAsync() => Backlog.ReadAsync(hub, clock, Cancellation);

    /// <summary>A hub whose ends and checkpoints the test sets.</summary>
    private sealed class Hub : IMessagingClients, ICheckpointStore
    {
        public Dictionary<string, long> Ends { get; } = new(StringComparer.Ordinal);

        public Dictionary<string, long> Stored { get; } = new(StringComparer.Ordinal);

        public string? StoredOffset { get; set; }

        /// <summary>What happens between the first and the second look at a partition.</summary>
        public Action? BetweenLooks { get; set; }

        public bool Failing { get; set; }

        public int Reads { get; private set; }

        public ICheckpointStore CheckpointStore => this;

        public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) =>
            Task.FromResult(new EventHubProperties("hub", default, [.. Ends.Keys]));

        public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken)
        {
            PartitionProperties properties = new(partitionId, Ends[partitionId] < 0 ? -1 : 0, Ends[partitionId], "end", Ends[partitionId] < 0);
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

        public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<Checkpoint> WriteCheckpointAsync(
            string partitionId, EventPosition position, string clientId, Checkpoint? previous, bool fenced, CancellationToken cancellationToken) => throw new NotSupportedException();

        public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
            string partitionId, long throughSequenceNumber, CancellationToken cancellationToken) => throw new NotSupportedException();

        public IEventHubWriter CreateEventHubWriter() => throw new NotSupportedException();

        public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) => throw new NotSupportedException();

        public IMessageSender CreateMessageSender(string entity) => throw new NotSupportedException();

        public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

        public IBlobContainer GetBlobContainer(string name) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
