using System.Collections.Concurrent;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>After a failure nothing more begins, neither what follows nor what was queued before it.</summary>
public sealed class LaneFailureTests
{
    [Theory]
    [InlineData("keyed")]
    [InlineData("keyed-shards")]
    public async Task Older_events_that_wait_for_their_key_do_not_begin_after_a_failure(string name)
    {
        var sink = new HeldSink(new IOException("event 2"));
        var failed = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        var context = new StrategyContext
        {
            MaxConcurrency = 8,
            Sinks = [sink],
            Lifetime = TestContext.Current.CancellationToken,
            ReportFailure = failure => failed.TrySetResult(failure),
        };
        await using var strategy = StrategyCatalog.Find(name).Create(context);
        IReadOnlyList<EventSlot> batch = [Some.Event(0, key: "held"), Some.Event(1, key: "held"), Some.Event(2, key: "fails"), Some.Event(3, key: "held")];

        await strategy.DispatchAsync(batch, TestContext.Current.CancellationToken);
        Assert.Equal("event 2", (await failed.Task.WaitAsync(TestContext.Current.CancellationToken)).Message);
        sink.Release();
        await strategy.DrainAsync(TestContext.Current.CancellationToken);

        Assert.Equal([0, 2], sink.Begun.Order());
    }

    [Theory]
    [InlineData("keyed")]
    [InlineData("keyed-shards")]
    public async Task Only_older_events_begin_after_one_was_refused(string name)
    {
        var sink = new HeldSink(new OperationCanceledException("event 2"));
        var failed = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        var context = new StrategyContext
        {
            MaxConcurrency = 2,
            Sinks = [sink],
            Lifetime = TestContext.Current.CancellationToken,
            ReportFailure = failure => failed.TrySetResult(failure),
        };
        await using var strategy = StrategyCatalog.Find(name).Create(context);
        IReadOnlyList<EventSlot> batch =
        [
            Some.Event(0, key: "held"),
            Some.Event(1, key: "held"),
            Some.Event(2, key: "refused"),
            Some.Event(3, key: "free"),
            Some.Event(4, key: "held"),
        ];

        await strategy.DispatchAsync(batch, TestContext.Current.CancellationToken);
        Assert.Equal("event 2", (await failed.Task.WaitAsync(TestContext.Current.CancellationToken)).Message);
        sink.Release();
        await strategy.DrainAsync(TestContext.Current.CancellationToken);

        Assert.Equal([0, 1, 2], sink.Begun.Order());
    }

    /// <summary>Holds its first event, and fails the third.</summary>
    private sealed class HeldSink(Exception failure) : ITrackedSink
    {
        private readonly TaskCompletionSource held = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ConcurrentQueue<long> Begun { get; } = [];

        public string Name => "held";

        public void Release() => held.SetResult();

        public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            Begun.Enqueue(receivedEvent.SequenceNumber);
            if (receivedEvent.SequenceNumber == 2)
            {
                throw failure;
            }

            await held.Task;
            return new WriteOutcome(TimeSpan.Zero, 1, Throttled: false);
        }

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
