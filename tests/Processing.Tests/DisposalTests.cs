using EventHubThroughput.Events;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Processing.Tests.Redriving;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests;

/// <summary>A processing and a redrive can be disposed of at any time, more than once, and leave nothing over.</summary>
public sealed class DisposalTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<bool> Kinds => [false, true];

    public static TheoryData<string> Strategies => [.. StrategyCatalog.Safe.Select(static strategy => strategy.Name)];

    [Theory(Timeout = 60_000)]
    [MemberData(nameof(Kinds))]
    public async Task Every_sink_is_disposed_of_once_although_one_throws(bool redrives)
    {
        OwnedSink[] sinks = [new("a") { Fails = true }, new("b"), new("c") { Fails = true }, new("d")];
        var subject = Open(redrives, sinks);

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(async () => await subject.DisposeAsync());
        Assert.Equal("a cannot be disposed of", failure.Message);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await subject.DisposeAsync());

        Assert.All(sinks, static sink => Assert.Equal(1, sink.Disposals));
    }

    [Fact(Timeout = 60_000)]
    public async Task Disposal_ends_a_run_and_waits_for_it()
    {
        var clients = new OnePartition(1);
        var writing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var written = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var sink = new OwnedSink("a")
        {
            OnWrite = async () =>
            {
                writing.SetResult();
                await written.Task;
            },
        };
        var processing = new EventHubProcessing(clients, RedriveBench.Settings, new ProcessingOptions(), Describe(sink));
        var running = processing.RunAsync(CancellationToken.None);
        _ = clients.GiveAsync();
        await writing.Task.WaitAsync(Token);
        var disposing = processing.DisposeAsync().AsTask();
        var again = processing.DisposeAsync().AsTask();
        Assert.Equal(0, sink.Disposals);
        written.SetResult();
        await Task.WhenAll(disposing, again);

        Assert.Equal(1, sink.Disposals);
        Assert.True(running.IsCompleted);
        Assert.Equal(ProcessingEnd.Stopped, (await running).End);
        Assert.Equal(0, clients.Stored);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => processing.RunAsync(Token));
    }

    [Fact(Timeout = 60_000)]
    public async Task Observers_and_notices_that_throw_disturb_nothing()
    {
        foreach (var strategy in StrategyCatalog.Safe)
        {
            var clients = new OnePartition(20);
            var begun = 0;
            var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var sink = new OwnedSink("a") { OnWrite = () => Interlocked.Increment(ref begun) == 20 ? Task.FromResult(all.TrySetResult()) : Task.CompletedTask };
            var options = new ProcessingOptions
            {
                Strategy = strategy,
                Observers = static _ => [new ThrowingObserver()],
                Notice = static _ => throw new InvalidOperationException("notice"),
            };
            await using var processing = new EventHubProcessing(clients, RedriveBench.Settings, options, Describe(sink));
            using var stop = new CancellationTokenSource();
            var running = processing.RunAsync(stop.Token);
            await clients.GiveAsync().WaitAsync(Token);
            await all.Task.WaitAsync(Token);
            await stop.CancelAsync();
            var result = await running;

            Assert.Equal((strategy.Name, ProcessingEnd.Stopped), (strategy.Name, result.End));
            Assert.Equal((strategy.Name, 20, 19L), (strategy.Name, sink.Writes, clients.Stored));
        }
    }

    [Theory(Timeout = 60_000)]
    [MemberData(nameof(Strategies))]
    public async Task Nothing_that_a_run_awaits_comes_back_to_the_synchronization_context_of_its_caller(string strategy)
    {
        var context = new CountedContext();
        var clients = new OnePartition(20);
        var begun = 0;
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var sink = new OwnedSink("a")
        {
            OnWrite = async () =>
            {
                await Task.Yield();
                if (Interlocked.Increment(ref begun) == 20)
                {
                    all.SetResult();
                }
            },
        };
        var options = new ProcessingOptions { Strategy = StrategyCatalog.Find(strategy) };
        var processing = new EventHubProcessing(clients, RedriveBench.Settings, options, Describe(sink));
        using var stop = new CancellationTokenSource();

        var running = context.Call(() => processing.RunAsync(stop.Token));
        await clients.GiveAsync().WaitAsync(Token);
        await all.Task.WaitAsync(Token);
        await stop.CancelAsync();
        await running;
        await context.Call(() => processing.DisposeAsync().AsTask());

        Assert.Equal(0, context.Posts);
    }

    private static IAsyncDisposable Open(bool redrives, OwnedSink[] sinks) =>
        redrives
            ? new DeadLetterRedrive(new ContainerClients(new MemoryBlobs("deadletters")), RedriveBench.Settings, new RedriveOptions(), Describe(sinks))
            : new EventHubProcessing(new OnePartition(0), RedriveBench.Settings, new ProcessingOptions(), Describe(sinks));

    private static SinkDescriptor[] Describe(params OwnedSink[] sinks) =>
        [.. sinks.Select(static sink => new SinkDescriptor(sink.Name, "A double.", _ => sink))];

    private sealed class OwnedSink(string name) : ISink<ReceivedEvent>, IAsyncDisposable
    {
        private int writes;

        public bool Fails { get; init; }

        public Func<Task> OnWrite { get; init; } = static () => Task.CompletedTask;

        public int Disposals { get; private set; }

        public int Writes => writes;

        public string Name => name;

        public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            await OnWrite();
            Interlocked.Increment(ref writes);
        }

        public ValueTask DisposeAsync()
        {
            Disposals++;
            return Fails ? throw new InvalidOperationException($"{name} cannot be disposed of") : ValueTask.CompletedTask;
        }
    }

    private sealed class ThrowingObserver : PartitionObserver
    {
        public override long? Completions => throw CreateFailure();

        public override void Opened(IPartitionLoad load, EventHubThroughput.Clients.EventHubs.EventPosition? startedFrom) => throw CreateFailure();

        public override void BatchReceived(int events, TimeSpan? waited) => throw CreateFailure();

        public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) => throw CreateFailure();

        public override void Begun(EventSlot receivedEvent, int inFlight) => throw CreateFailure();

        public override void Acknowledged(long sequence, int sink, TimeSpan elapsed) => throw CreateFailure();

        public override void Completed(in EventCompletion completion) => throw CreateFailure();

        public override void ConcurrencyChanged(int degree) => throw CreateFailure();

        public override void BatchEnding() => throw CreateFailure();

        public override void BatchEnded(int events, TimeSpan elapsed) => throw CreateFailure();

        public override void CheckpointStored(EventHubThroughput.Clients.EventHubs.EventPosition position, long events, TimeSpan elapsed) =>
            throw CreateFailure();

        public override void Closing() => throw CreateFailure();

        public override void Closed(bool lost) => throw CreateFailure();

        private static InvalidOperationException CreateFailure() => new("observer");
    }
}
