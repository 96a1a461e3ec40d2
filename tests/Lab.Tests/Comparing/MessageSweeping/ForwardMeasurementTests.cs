using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing.MessageSweeping;

public sealed class ForwardMeasurementTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task A_processor_that_fails_ends_the_measurement_and_leaves_no_timer()
    {
        var clock = new VirtualClock();
        var queue = new FailingQueue();
        var options = new WorkerOptions
        {
            Role = WorkerRole.Forward,
            Entity = "in",
            Target = "out",
        };
        var measuring = new ForwardMeasurement(options, Forwarder.OfProject(options, queue, queue, clock), clock).RunAsync(
            static () => { },
            TestContext.Current.CancellationToken
        );
        await clock.UntilTimerIsSetAsync(TestContext.Current.CancellationToken);

        queue.Fail(new InvalidOperationException("no such queue"));

        Assert.Equal("no such queue", (await Assert.ThrowsAsync<InvalidOperationException>(() => measuring)).Message);

        // On another thread: the wait removes its timer after its continuation, which this may be.
        Assert.True(await Task.Run(() => SpinWait.SpinUntil(() => clock.PendingTimers == 0, Limit), TestContext.Current.CancellationToken), "a timer is left");
    }

    /// <summary>A queue whose only receive fails when the test requests it.</summary>
    private sealed class FailingQueue : IMessagingClients, IMessageReceiver, IMessageSender
    {
        private readonly TaskCompletionSource<IReadOnlyList<ReceivedMessage>> received = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ICheckpointStore CheckpointStore => throw new NotSupportedException();

        public void Fail(Exception failure) => received.SetException(failure);

        public IMessageSender CreateMessageSender(string entity) => this;

        public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => this;

        public Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken) => received.Task;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;

        public ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task CompleteAsync(ReceivedMessage message, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task AbandonAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task DeferAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task DeadLetterAsync(ReceivedMessage message, string reason, string? description, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task<DateTimeOffset> RenewLockAsync(ReceivedMessage message, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<IReadOnlyList<ReceivedMessage>> ReceiveDeferredAsync(IReadOnlyList<long> sequenceNumbers, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long fromSequenceNumber, int maximum, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

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

        public IBlobContainer GetBlobContainer(string name) => throw new NotSupportedException();
    }
}
