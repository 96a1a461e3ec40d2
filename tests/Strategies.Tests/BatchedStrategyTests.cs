using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What batched promises beside the contract of every strategy.</summary>
public sealed class BatchedStrategyTests
{
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Linger = TimeSpan.FromMilliseconds(5);

    [Theory]
    [InlineData(8, 100, 1024, new[] { 100, 100, 50 })]
    [InlineData(2, 100, 1024, new[] { 100, 100 })]
    [InlineData(8, 50, 1024, new[] { 50, 50, 50, 50, 50 })]
    public void Waiting_events_are_sent_in_operations_of_the_size_of_the_sink_and_up_to_the_degree(int degree, int largest, int window, int[] sizes) =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, largest, Latency);
            await using var strategy = Open(clock, degree, [sink], linger: 0, window: window);

            await strategy.DispatchAsync(Some.Batch(250).Events, Token);

            await clock.DelayAsync(TimeSpan.FromTicks(1), Token);
            Assert.Equal(sizes, sink.Operations.Select(operation => operation.Events.Count));
            await strategy.DrainAsync(Token);
            Assert.Equal(Sequences(250), sink.Operations.SelectMany(operation => operation.Events));
        });

    [Fact]
    public void A_single_event_is_sent_immediately() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink]);

            await strategy.DispatchAsync(Some.Batch(1).Events, Token);
            await clock.DelayAsync(2 * Latency, Token);
            await strategy.DispatchAsync(Some.Batch(1, first: 1).Events, Token);
            await strategy.DrainAsync(Token);

            Assert.Equal([TimeSpan.Zero, 2 * Latency], sink.Operations.Select(operation => operation.Begun));
            Assert.Equal(3 * Latency, clock.Elapsed);
        });

    [Fact]
    public void While_an_operation_is_under_way_events_are_collected_for_the_linger_time_from_the_first_on() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink]);
            await strategy.DispatchAsync(Some.Batch(1).Events, Token);

            for (var first = 1; first <= 3; first++)
            {
                await clock.DelayAsync(TimeSpan.FromMilliseconds(2), Token);
                await strategy.DispatchAsync(Some.Batch(1, first: first).Events, Token);
            }

            await clock.DelayAsync(Linger, Token);
            Assert.Equal([1L, 2, 3], sink.Operations[1].Events);
            Assert.Equal(TimeSpan.FromMilliseconds(2) + Linger, sink.Operations[1].Begun);
            await strategy.DrainAsync(Token);
        });

    [Theory]
    [InlineData(8, 1024, 8)]
    [InlineData(100, 1024, 100)]
    [InlineData(100, 128, 32)]
    public void The_events_of_one_operation_or_a_quarter_of_the_window_wait_for_no_others(int largest, int window, int enough) =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, largest, Latency);
            await using var strategy = Open(clock, 16, [sink], window: window);
            await strategy.DispatchAsync(Some.Batch(1).Events, Token);

            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            await strategy.DispatchAsync(Some.Batch(enough - 1, first: 1).Events, Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            Assert.Single(sink.Operations);
            await strategy.DispatchAsync(Some.Batch(1, first: enough).Events, Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);

            Assert.Equal(Sequences(enough + 1).Skip(1), sink.Operations[1].Events);
            Assert.Equal(TimeSpan.FromMilliseconds(2), sink.Operations[1].Begun);
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void An_answer_sends_what_was_collected_meanwhile() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, TimeSpan.FromMilliseconds(3));
            await using var strategy = Open(clock, 16, [sink]);
            await strategy.DispatchAsync(Some.Batch(1).Events, Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            await strategy.DispatchAsync(Some.Batch(2, first: 1).Events, Token);

            await clock.DelayAsync(Latency, Token);

            Assert.Equal(TimeSpan.FromMilliseconds(3), sink.Operations[1].Begun);
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void A_drain_sends_the_collected_events_immediately() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink], linger: 1000);
            await strategy.DispatchAsync(Some.Batch(1).Events, Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            await strategy.DispatchAsync(Some.Batch(2, first: 1).Events, Token);

            await strategy.DrainAsync(Token);

            Assert.Equal([1L, 2], sink.Operations[1].Events);
            Assert.Equal(Latency + TimeSpan.FromMilliseconds(1), clock.Elapsed);
        });

    [Fact]
    public void Other_sinks_are_written_to_singly_while_events_are_collected() =>
        Run(async clock =>
        {
            var log = new List<Write>();
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink, RecordingSink.Taking(clock, "blobs", Latency, log)]);
            await strategy.DispatchAsync(Some.Batch(1).Events, Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);

            await strategy.DispatchAsync(Some.Batch(3, first: 1).Events, Token);
            await strategy.DrainAsync(Token);

            Assert.Equal(4, log.Count);
            Assert.All(log.Skip(1), write => Assert.Equal(TimeSpan.FromMilliseconds(1), write.Started));
        });

    [Fact]
    public void A_held_event_keeps_the_place_of_its_operation_and_no_other() =>
        Run(async clock =>
        {
            var sink = new OperationSink(clock, 8, cancellationToken => clock.DelayAsync(Latency, cancellationToken))
            {
                After = sequence => sequence == 3 ? clock.DelayAsync(1000 * Latency, Token) : Task.CompletedTask,
            };
            await using var strategy = Open(clock, 2, [sink]);

            await strategy.DispatchAsync(Some.Batch(8 * 12).Events, Token);
            await clock.DelayAsync((10 * Latency) + TimeSpan.FromTicks(1), Token);

            // Two concurrently at first, and then one after the other in the remaining place.
            Assert.Equal(12, sink.Operations.Count);
            await strategy.DrainAsync(Token);
        });

    // A cancellation while processing continues is a failure too: the sink's client may have its own time limit.
    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(OperationCanceledException))]
    public void A_refused_event_ends_the_strategy_after_all_begun_events_are_written(Type refusal) =>
        Run(async clock =>
        {
            var reported = new List<(Exception Failure, TimeSpan At)>();
            var sink = new OperationSink(clock, 10, cancellationToken => clock.DelayAsync(Latency, cancellationToken))
            {
                After = sequence =>
                    sequence switch
                    {
                        0 => clock.DelayAsync(10 * Latency, Token),
                        3 => throw (Exception)Activator.CreateInstance(refusal)!,
                        _ => Task.CompletedTask,
                    },
            };
            var log = new List<Write>();
            await using var strategy = Open(
                clock,
                2,
                [sink, RecordingSink.Taking(clock, "blobs", Latency / 4, log)],
                reported: failure => reported.Add((failure, clock.Elapsed))
            );

            await strategy.DispatchAsync(Some.Batch(100).Events, Token);
            await strategy.DrainAsync(Token);

            // Immediately, although another one of the same operation is held. The blobs have in the end what the batches had taken by then.
            var (failure, at) = Assert.Single(reported);
            Assert.IsType(refusal, failure);
            Assert.Equal(Latency, at);
            var taken = sink.Operations.SelectMany(operation => operation.Events).Order().ToList();
            Assert.InRange(taken.Count, 20, 40);
            Assert.Equal(taken, log.Select(write => write.Sequence).Order());
            Assert.All(log, write => Assert.NotNull(write.Finished));
        });

    [Fact]
    public void A_batch_that_throws_before_it_begins_ends_it_and_holds_up_no_drain() =>
        Run(async clock =>
        {
            var reported = new List<Exception>();
            await using var strategy = Open(clock, 2, [new ThrowingSink()], reported: reported.Add);

            await strategy.DispatchAsync(Some.Batch(5).Events, Token);
            await strategy.DrainAsync(Token);

            Assert.IsType<InvalidOperationException>(Assert.Single(reported));
        });

    [Fact]
    public void A_sink_is_ahead_of_another_one_by_two_operations_at_most() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 10, Latency);
            var log = new List<Write>();
            await using var strategy = Open(clock, 4, [sink, RecordingSink.Taking(clock, "blobs", 1000 * Latency, log)]);

            await strategy.DispatchAsync(Some.Batch(200).Events, Token);
            await clock.DelayAsync(100 * Latency, Token);

            Assert.Equal(4, log.Count);
            Assert.Equal(20, sink.Operations.Sum(operation => operation.Events.Count));
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void Cut_while_it_collects_it_sends_nothing_more_and_leaves_no_timer() =>
        Run(async clock =>
        {
            using var cut = new CancellationTokenSource(TimeSpan.FromMilliseconds(3), clock);
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using (var strategy = Open(clock, 16, [sink], lifetime: cut.Token))
            {
                await strategy.DispatchAsync(Some.Batch(1).Events, cut.Token);
                await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
                await strategy.DispatchAsync(Some.Batch(2, first: 1).Events, cut.Token);
                await clock.DelayAsync(TimeSpan.FromMilliseconds(2), Token);
                await strategy.DrainAsync(CancellationToken.None);
            }

            Assert.Single(sink.Operations);
            Assert.Equal(TimeSpan.FromMilliseconds(3), clock.Elapsed);
            Assert.Equal(0, clock.PendingTimers);
        });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_cut_is_not_reported_and_a_failure_during_the_cut_is(bool breaks) =>
        Run(async clock =>
        {
            using var cut = new CancellationTokenSource(Latency / 2, clock);
            var reported = new List<Exception>();
            var sink = new OperationSink(
                clock,
                10,
                async cancellationToken =>
                {
                    try
                    {
                        await clock.DelayAsync(Latency, cancellationToken);
                    }
                    catch (OperationCanceledException cause) when (breaks)
                    {
                        throw new IOException("broken", cause);
                    }
                }
            );
            await using var strategy = Open(clock, 2, [sink], reported: reported.Add, lifetime: cut.Token);

            await strategy.DispatchAsync(Some.Batch(1).Events, cut.Token);
            await strategy.DrainAsync(CancellationToken.None);

            Assert.Equal(breaks ? [typeof(IOException)] : [], reported.Select(failure => failure.GetType()));
        });

    [Fact]
    public void Each_event_is_written_once_to_each_sink_in_operations_within_size_and_degree()
    {
        var cases = from degree in Gen.Choose(1, 40) from drawn in Drawn select (degree, drawn);
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(cases),
                one =>
                {
                    var log = new List<Write>();
                    var (underWay, most) = (0, 0);
                    var sink = Live(
                        one.drawn,
                        one.degree,
                        clock => [RecordingSink.Jittered(clock, "blobs", one.drawn.Seed, log)],
                        change => most = Math.Max(most, underWay += change)
                    );

                    var all = Sequences(one.drawn.Sizes.Sum()).ToList();
                    Assert.Equal(all, sink.Operations.SelectMany(operation => operation.Events).Order());
                    Assert.Equal(all, log.Select(write => write.Sequence).Order());
                    Assert.All(log, write => Assert.NotNull(write.Finished));
                    Assert.All(sink.Operations, operation => Assert.InRange(operation.Events.Count, 1, one.drawn.Largest));
                    Assert.InRange(most, 0, one.degree);
                }
            )
        );
    }

    [Fact]
    public void With_places_and_no_other_sink_every_event_is_begun_within_the_linger_time() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(Drawn),
                drawn =>
                {
                    var sink = Live(drawn, degree: 1000, _ => [], _ => { });

                    var came = drawn.Sizes.Zip(drawn.Comes).SelectMany(static batch => Enumerable.Repeat(batch.Second, batch.First)).ToList();
                    Assert.All(
                        sink.Operations,
                        operation =>
                            Assert.All(operation.Events, sequence => Assert.InRange((operation.Begun - came[(int)sequence]).TotalMilliseconds, 0, drawn.Linger))
                    );
                }
            )
        );

    private static Gen<Arrivals> Drawn =>
        from largest in Gen.Choose(2, 20)
        from linger in Gen.Choose(0, 10)
        from sizes in Gen.Choose(1, 30).ListOf()
        from gaps in Gen.Choose(0, 12).ListOf(sizes.Count)
        from seed in Gen.Choose(0, 1_000_000)
        select new Arrivals(largest, linger, sizes, gaps, seed);

    // A life with these arrivals. Reports operations that begin (1) and end (-1).
    private static OperationSink Live(Arrivals drawn, int degree, Func<VirtualClock, IEnumerable<ITrackedSink>> others, Action<int> changed)
    {
        var random = new Random(drawn.Seed);
        OperationSink? sink = null;
        VirtualTimeRunner.Run(
            async clock =>
            {
                sink = new OperationSink(
                    clock,
                    drawn.Largest,
                    async cancellationToken =>
                    {
                        changed(1);
                        await clock.DelayAsync(TimeSpan.FromMilliseconds(random.Next(0, 30)), cancellationToken);
                        changed(-1);
                    }
                );
                await using var strategy = Open(clock, degree, [sink, .. others(clock)], linger: drawn.Linger, window: 4 * drawn.Largest);
                var first = 0;
                foreach (var (size, gap) in drawn.Sizes.Zip(drawn.Gaps))
                {
                    await strategy.DispatchAsync(Some.Batch(size, first: first).Events, Token);
                    await clock.DelayAsync(TimeSpan.FromMilliseconds(gap), Token);
                    first += size;
                }

                await strategy.DrainAsync(Token);
            },
            drawn.Seed
        );
        return sink!;
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static IEnumerable<long> Sequences(int count) => Enumerable.Range(0, count).Select(sequence => (long)sequence);

    private static void Run(Func<VirtualClock, Task> body) => VirtualTimeRunner.Run(body);

    private static IProcessingStrategy Open(
        VirtualClock clock,
        int degree,
        IReadOnlyList<ITrackedSink> sinks,
        int? linger = null,
        int window = 1024,
        Action<Exception>? reported = null,
        CancellationToken lifetime = default
    )
    {
        var descriptor = StrategyCatalog.Find("batched");
        var chosen = new Dictionary<string, int>(StringComparer.Ordinal) { ["batch-linger"] = linger ?? (int)Linger.TotalMilliseconds };
        return descriptor.Create(
            new StrategyContext
            {
                MaxConcurrency = degree,
                Window = window,
                Sinks = sinks,
                Options = StrategyOptionValues.Of(descriptor.Options, chosen),
                TimeProvider = clock,
                Lifetime = lifetime,
                ReportFailure = reported ?? (_ => { }),
            }
        );
    }

    // Batches of these sizes, each followed by a gap in milliseconds.
    private sealed record Arrivals(int Largest, int Linger, IReadOnlyList<int> Sizes, IReadOnlyList<int> Gaps, int Seed)
    {
        public IEnumerable<TimeSpan> Comes
        {
            get
            {
                var now = TimeSpan.Zero;
                foreach (var gap in Gaps)
                {
                    yield return now;
                    now += TimeSpan.FromMilliseconds(gap);
                }
            }
        }
    }

    private sealed class ThrowingSink : ITrackedSink
    {
        public string Name => "throws";

        public int LargestBatch => 10;

        public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) => throw new InvalidOperationException();

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            throw new InvalidOperationException();

        public IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            throw new InvalidOperationException();
    }
}
