using System.Runtime.CompilerServices;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What strategies that keep the order of keys do beside the contract.</summary>
public sealed class KeyedStrategyTests
{
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>For any keys: order within each, no wait while a place is free, and never more than the degree or the window.</summary>
    [Theory]
    [InlineData("keyed")]
    [InlineData("keyed-shards")]
    public void Keys_keep_their_order_and_delay_no_other_key(string name) =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                ArbMap.Default.ArbFor<(NonEmptyArray<byte> Keys, PositiveInt Degree, PositiveInt Window, PositiveInt Batch, int Seed)>(),
                drawn =>
                {
                    var degree = 1 + (drawn.Degree.Get % 6);
                    var window = degree + (drawn.Window.Get % 20);
                    var events = drawn.Keys.Get.Select((key, index) => Some.Event(index, key: key % 5 == 0 ? null : $"key-{key % 5}")).ToList<EventSlot>();
                    var log = new List<Write>();
                    WindowedRun? run = null;
                    VirtualTimeRunner.Run(
                        clock =>
                            (run = new WindowedRun(clock, degree, window)).RunAsync(
                                name,
                                [RecordingSink.Jittered(clock, "a", drawn.Seed, log), RecordingSink.Jittered(clock, "b", ~drawn.Seed, log)],
                                events,
                                1 + (drawn.Batch.Get % 7),
                                Cancellation
                            ),
                        drawn.Seed
                    );

                    Assert.Empty(run!.Failures);
                    Assert.InRange(run.Widest, 1, window);
                    Expect(events, log, degree, name == "keyed");
                }
            )
        );

    [Fact]
    public void A_hot_key_keeps_one_place_and_leaves_the_others_theirs()
    {
        var events = Enumerable.Range(0, 100).Select(index => Some.Event(index, key: index < 90 ? "hot" : $"key-{index}")).ToList<EventSlot>();

        var log = Run("keyed", degree: 2, events);

        // Its ten one after another, beside the ninety of the hot key.
        Assert.Equal(10 * Latency, log.Where(write => write.Sequence >= 90).Max(write => write.Finished));
        Assert.Equal(90 * Latency, log.Max(write => write.Finished));
    }

    [Fact]
    public void The_oldest_event_that_may_begin_comes_first()
    {
        var events = Enumerable.Range(0, 30).Select(index => Some.Event(index, key: index % 3 == 0 ? "often" : null)).ToList<EventSlot>();

        var log = Run("keyed", degree: 1, events);

        Assert.Equal(Enumerable.Range(0, 30).Select(index => (long)index), log.Select(write => write.Sequence));
    }

    [Fact]
    public void Events_without_a_key_wait_for_none()
    {
        var events = Enumerable.Range(0, 8).Select(index => Some.Event(index)).ToList<EventSlot>();

        Assert.Equal(Latency, Run("keyed", degree: 8, events).Max(write => write.Finished));
        Assert.Equal(Latency, Run("keyed-shards", degree: 8, events).Max(write => write.Finished));
    }

    /// <summary>
    /// Keys of two events each show which of them share a shard. The result is the same in every process, or this would fail in most of them.
    /// </summary>
    [Fact]
    public void Shards_are_the_same_in_every_process()
    {
        var keys = Enumerable.Range(0, 8).Select(index => $"order-{index}").ToList();
        var shared =
            from one in keys
            from other in keys
            where
                string.CompareOrdinal(one, other) < 0
                && Run("keyed-shards", 4, [Some.Event(0, key: one), Some.Event(1, key: other)])[^1].Started > TimeSpan.Zero
            select $"{one[^1]}{other[^1]}";

        Assert.Equal("01 02 04 12 14 24 56 57 67", string.Join(' ', shared));
    }

    /// <summary>Younger events of other keys have overtaken what waits for its key: at a stop that is written still, and nothing younger.</summary>
    [Fact]
    public void At_a_stop_what_was_overtaken_is_written_and_nothing_younger_begins()
    {
        string[] keys = ["a", "a", "a", "b", "c", "a", "d"];
        var written = new List<long>();
        WindowedRun? run = null;
        VirtualTimeRunner.Run(clock =>
        {
            var sink = new RecordingSink(
                clock,
                "a",
                async (receivedEvent, token) =>
                {
                    if (clock.Elapsed > TimeSpan.Zero && receivedEvent.SequenceNumber > 3)
                    {
                        throw new OperationCanceledException("stopping: it is not begun");
                    }

                    await clock.DelayAsync(Latency, token);
                    written.Add(receivedEvent.SequenceNumber);
                },
                []
            );
            run = new WindowedRun(clock, degree: 2, window: 16);
            return run.RunAsync("keyed", [sink], [.. keys.Select((key, index) => Some.Event(index, key: key))], batch: 7, Cancellation);
        });

        Assert.Equal([0L, 1, 2, 3], written.Order());
        Assert.All(run!.Failures, failure => Assert.IsType<OperationCanceledException>(failure));
    }

    [Fact]
    public async Task Nothing_is_kept_of_keys_whose_events_are_complete()
    {
        var context = new StrategyContext
        {
            MaxConcurrency = 4,
            Sinks = [new NoSink()],
            ReportFailure = failure => throw failure,
        };
        await using var strategy = new KeyedStrategy(context);

        var dispatched = await DispatchAsync(strategy);
        await strategy.DrainAsync(Cancellation);
        await strategy.DispatchAsync([Some.Event(1_000, key: "last")], Cancellation);
        await strategy.DrainAsync(Cancellation);
        GC.Collect();

        Assert.DoesNotContain(dispatched, one => one.TryGetTarget(out _));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<List<WeakReference<EventSlot>>> DispatchAsync(KeyedStrategy strategy)
    {
        var events = Enumerable.Range(0, 1_000).Select(index => Some.Event(index, key: $"key-{index / 2}")).ToList<EventSlot>();
        await strategy.DispatchAsync(events, Cancellation);
        return [.. events.Select(one => new WeakReference<EventSlot>(one))];
    }

    private static List<Write> Run(string name, int degree, List<EventSlot> events)
    {
        var log = new List<Write>();
        VirtualTimeRunner.Run(clock =>
            new WindowedRun(clock, degree, 1024).RunAsync(name, [RecordingSink.Taking(clock, "a", Latency, log)], events, batch: 10, Cancellation)
        );
        return log;
    }

    private static void Expect(List<EventSlot> events, List<Write> log, int degree, bool mayBeginImmediately)
    {
        var lives = log.GroupBy(write => write.Sequence)
            .Select(writes => (Sequence: writes.Key, Begun: writes.Min(write => write.Started), Ended: writes.Max(write => write.Finished!.Value)))
            .OrderBy(life => life.Sequence)
            .ToList();
        Assert.Equal(events.Select(one => one.SequenceNumber), lives.Select(life => life.Sequence));
        Assert.Equal(2 * events.Count, log.Count);
        Assert.All(lives, one => Assert.InRange(lives.Count(other => other.Begun < one.Begun && one.Begun < other.Ended), 0, degree - 1));
        foreach (var ofKey in lives.Where(life => events[(int)life.Sequence].Key is not null).GroupBy(life => events[(int)life.Sequence].Key))
        {
            Assert.All(ofKey.Zip(ofKey.Skip(1)), pair => Assert.True(pair.First.Ended <= pair.Second.Begun));
        }

        if (mayBeginImmediately)
        {
            // Between the end of the event before it, or the hand-over of a later one, and its own beginning all places are taken.
            foreach (var life in lives.Where(life => life.Begun > TimeSpan.Zero))
            {
                var key = events[(int)life.Sequence].Key;
                var before = lives.Where(other => key is not null && other.Sequence < life.Sequence && events[(int)other.Sequence].Key == key);
                var free = before.Select(other => other.Ended).Append(TimeSpan.Zero).Max();
                var handedOver = lives.Where(other => other.Sequence > life.Sequence).Select(other => other.Begun).Append(life.Begun).Min();
                var from = free > handedOver ? free : handedOver;
                Assert.All(
                    lives.Select(other => other.Ended).Where(at => from < at && at < life.Begun),
                    at => Assert.Equal(degree, lives.Count(other => other.Begun <= at && at < other.Ended))
                );
            }
        }
    }

    private sealed class NoSink : ITrackedSink
    {
        public string Name => "none";

        public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) => new(default(WriteOutcome));

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            new([.. events.Select(_ => default(WriteOutcome))]);
    }
}
