using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>
/// Order per key under the real pump. A strategy that breaks it is stopped by name, and the strategies that promise it keep it through everything.
/// </summary>
public sealed class KeyedSessionTests : IDisposable
{
    private static readonly MessagingException Busy = new(FailureKind.Throttled, "busy");

    private readonly PumpBench bench = Bench();

    public static TheoryData<string> Strategies =>
        [.. StrategyCatalog.All.Where(strategy => strategy.Ordering == OrderingGuarantee.Key).Select(strategy => strategy.Name)];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Stops_a_strategy_that_promises_the_order_of_keys_and_breaks_it()
    {
        // Two keys in turn, all concurrently.
        var pump = bench.Open(context => new FiresAndForgets(context));
        bench.ServiceBus.HangOn(0).HangOn(1).HangOn(2);

        await pump.ProcessAsync(Batch("a", "b", "a"), Cancellation);

        Assert.Equal(
            new ProcessingFault(
                ProcessingFaultKind.InvariantBreached,
                "strategy 'x' guarantees order of each key, but started event 2 of partition 0 before event 0 of the same key was complete (0 at 1 of 2 sinks, 1 at 1 of 2 sinks, 2 open)"
            ),
            Assert.Single(bench.Faults.All)
        );
        Assert.Equal([0L, 1], bench.ServiceBus.Begun);
    }

    [Fact]
    public async Task Stops_it_too_where_only_a_retry_shows_it()
    {
        var sound = bench.Open(context => new OvertakesRetries(context));
        await bench.RunAsync(sound.ProcessAsync(Batch("a", "a", "a"), Cancellation), Cancellation);
        Assert.Empty(bench.Faults.All);

        using var other = Bench();
        other.Blob.FailOn(1, Busy);
        var pump = other.Open(context => new OvertakesRetries(context));
        await Assert.ThrowsAsync<ProcessingFaultException>(() => other.RunAsync(pump.ProcessAsync(Batch("a", "a", "a"), Cancellation), Cancellation));

        Assert.Equal(
            "strategy 'x' guarantees order of each key, but started event 2 of partition 0 before event 1 of the same key was complete "
                + "(0 complete or unknown, 1 at 1 of 2 sinks, 2 open)",
            other.Faults.All[0].Message
        );
    }

    [Fact]
    public async Task Stops_it_too_where_only_the_next_batch_shows_it()
    {
        bench.Blob.HangOn(1);
        var pump = bench.Open(context => new FiresAndForgets(context));

        await pump.ProcessAsync(Batch("a", "b"), Cancellation);
        Assert.Empty(bench.Faults.All);
        await pump.ProcessAsync([Some.Event(2, key: "b")], Cancellation);

        Assert.Contains(
            "started event 2 of partition 0 before event 1 of the same key was complete",
            Assert.Single(bench.Faults.All).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Events_without_a_key_and_dead_letters_break_no_order()
    {
        using var lax = Bench(PoisonPolicy.DeadLetter);
        lax.Blob.FailOn(0, new MessagingException(FailureKind.TooLarge, "too large"));
        lax.ServiceBus.HangOn(2);
        var pump = lax.Open(StrategyCatalog.Find("keyed").Create);

        await pump.ProcessAsync(Batch("a", "a", null, null), Cancellation);
        await UntilAsync(() => lax.ServiceBus.Begun.Count == 4);

        Assert.Equal([0L, 1, 2, 3], lax.ServiceBus.Begun.Order());
        Assert.Empty(lax.Faults.All);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task A_held_event_holds_its_key_and_no_other(string strategy)
    {
        using var held = Bench(PoisonPolicy.Block);
        held.ServiceBus.FailOn(0, new MessagingException(FailureKind.TooLarge, "too large"), times: 1_000);
        var pump = held.Open(StrategyCatalog.Find(strategy).Create);

        // Sixteen shards: b and c are in others than a.
        await pump.ProcessAsync(Batch("a", "b", "a", "c", "b"), Cancellation);
        await held.UntilBlocked;
        await UntilAsync(() => held.Blob.Stored.Except([0L]).Count() == 3);
        await held.Stop.RequestAsync();
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([1L, 3, 4], held.Blob.Stored.Except([0L]).Order());
        Assert.DoesNotContain(2L, held.ServiceBus.Begun);
    }

    public void Dispose() => bench.Dispose();

    private static PumpBench Bench(PoisonPolicy onPoison = PoisonPolicy.Stop) =>
        new()
        {
            Ordering = OrderingGuarantee.Key,
            IsBarrier = false,
            OnPoison = onPoison,
            Options = new CheckpointOptions { Events = 1_000 },
        };

    // Lanes are begun off the stack of the dispatching caller.
    private static async Task UntilAsync(Func<bool> holds)
    {
        while (!holds())
        {
            Cancellation.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }

    private static IReadOnlyList<EventSlot> Batch(params string?[] keys) => [.. keys.Select((key, index) => Some.Event(index, key: key))];

    // The events in turn, but none waits for one of which a try has failed.
    private sealed class OvertakesRetries(StrategyContext context) : IProcessingStrategy, IWriteWatcher
    {
        private TaskCompletionSource retried = new();

        public void Noticed(in WriteNotice notice) => retried.TrySetResult();

        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            var writes = new List<Task>();
            foreach (var receivedEvent in batch)
            {
                retried = new TaskCompletionSource();
                writes.Add(WriteAsync(receivedEvent, cancellationToken));
                await Task.WhenAny(writes[^1], retried.Task);
            }

            await Task.WhenAll(writes);
        }

        private async Task WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            foreach (var sink in context.Sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}
