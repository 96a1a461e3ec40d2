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
    [InlineData(64, 100, 40)]
    [InlineData(64, 10, 10)]
    [InlineData(16, 100, 16)]
    public void What_waits_is_sent_in_operations_of_the_sinks_size_as_far_as_the_degree_allows(int degree, int largest, int size) =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, largest, Latency);
            await using var strategy = Open(clock, degree, [sink]);

            await strategy.DispatchAsync(Some.Batch(40), Token);

            await clock.DelayAsync(TimeSpan.FromTicks(1), Token);
            Assert.Equal(Math.Min(degree, 40), sink.Operations.Sum(operation => operation.Events.Count));
            Assert.Equal(size, sink.Operations[0].Events.Count);
            await strategy.DrainAsync(Token);
            Assert.Equal(Sequences(40), sink.Operations.SelectMany(operation => operation.Events));
        });

    [Fact]
    public void An_event_alone_is_sent_at_once() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink]);

            await strategy.DispatchAsync(Some.Batch(1), Token);
            await clock.DelayAsync(2 * Latency, Token);
            await strategy.DispatchAsync(Some.Batch(1, first: 1), Token);
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
            await strategy.DispatchAsync(Some.Batch(1), Token);

            for (var first = 1; first <= 3; first++)
            {
                await clock.DelayAsync(TimeSpan.FromMilliseconds(2), Token);
                await strategy.DispatchAsync(Some.Batch(1, first: first), Token);
            }

            await clock.DelayAsync(Linger, Token);
            Assert.Equal([1L, 2, 3], sink.Operations[1].Events);
            Assert.Equal(TimeSpan.FromMilliseconds(2) + Linger, sink.Operations[1].Begun);
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void Half_of_what_an_operation_can_have_is_sent_before_the_linger_time_is_over() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 8, Latency);
            await using var strategy = Open(clock, 16, [sink]);
            await strategy.DispatchAsync(Some.Batch(1), Token);

            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            await strategy.DispatchAsync(Some.Batch(3, first: 1), Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            Assert.Single(sink.Operations);
            await strategy.DispatchAsync(Some.Batch(1, first: 4), Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);

            Assert.Equal([1L, 2, 3, 4], sink.Operations[1].Events);
            Assert.Equal(TimeSpan.FromMilliseconds(2), sink.Operations[1].Begun);
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void An_answer_sends_what_was_collected_meanwhile() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, TimeSpan.FromMilliseconds(3));
            await using var strategy = Open(clock, 16, [sink]);
            await strategy.DispatchAsync(Some.Batch(1), Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            await strategy.DispatchAsync(Some.Batch(2, first: 1), Token);

            await clock.DelayAsync(Latency, Token);

            Assert.Equal(TimeSpan.FromMilliseconds(3), sink.Operations[1].Begun);
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void A_drain_sends_what_is_collected_at_once() =>
        Run(async clock =>
        {
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink], linger: 1000);
            await strategy.DispatchAsync(Some.Batch(1), Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
            await strategy.DispatchAsync(Some.Batch(2, first: 1), Token);

            await strategy.DrainAsync(Token);

            Assert.Equal([1L, 2], sink.Operations[1].Events);
            Assert.Equal(Latency + TimeSpan.FromMilliseconds(1), clock.Elapsed);
            Assert.Equal(0, clock.PendingTimers);
        });

    [Fact]
    public void Other_sinks_are_written_to_singly_while_events_are_collected() =>
        Run(async clock =>
        {
            var log = new List<Write>();
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, 16, [sink, RecordingSink.Taking(clock, "blobs", Latency, log)]);
            await strategy.DispatchAsync(Some.Batch(1), Token);
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);

            await strategy.DispatchAsync(Some.Batch(3, first: 1), Token);
            await strategy.DrainAsync(Token);

            Assert.Equal(4, log.Count);
            Assert.All(log.Skip(1), write => Assert.Equal(TimeSpan.FromMilliseconds(1), write.Started));
        });

    [Fact]
    public void One_message_that_is_held_keeps_its_own_place_and_no_other() =>
        Run(async clock =>
        {
            var sink = new OperationSink(clock, 100, cancellationToken => clock.DelayAsync(Latency, cancellationToken))
            {
                After = sequence => sequence == 3 ? clock.DelayAsync(1000 * Latency, Token) : Task.CompletedTask,
            };
            await using var strategy = Open(clock, 16, [sink]);

            await strategy.DispatchAsync(Some.Batch(16 + (10 * 15)), Token);
            await clock.DelayAsync((11 * Latency) + TimeSpan.FromTicks(1), Token);

            Assert.Equal(11, sink.Operations.Count);
            Assert.Equal(16 + (10 * 15), sink.Operations.Sum(operation => operation.Events.Count));
            await strategy.DrainAsync(Token);
        });

    [Fact]
    public void One_that_fails_for_good_ends_it_when_the_others_in_flight_are_written() =>
        Run(async clock =>
        {
            var told = new List<Exception>();
            var sink = new OperationSink(clock, 100, cancellationToken => clock.DelayAsync(Latency, cancellationToken))
            {
                After = sequence => sequence == 3 ? throw new IOException("refused") : Task.CompletedTask,
            };
            var log = new List<Write>();
            await using var strategy = Open(clock, 8, [sink, RecordingSink.Taking(clock, "blobs", 3 * Latency, log)], told: told.Add);

            await strategy.DispatchAsync(Some.Batch(20), Token);
            await strategy.DrainAsync(Token);

            Assert.IsType<IOException>(Assert.Single(told));
            Assert.Equal(Sequences(8), Assert.Single(sink.Operations).Events);
            Assert.Equal(8, log.Count(write => write.Finished is not null));
        });

    [Fact]
    public void Cut_while_it_collects_it_sends_nothing_more_and_leaves_no_timer() =>
        Run(async clock =>
        {
            using var cut = new CancellationTokenSource(TimeSpan.FromMilliseconds(3), clock);
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using (var strategy = Open(clock, 16, [sink], lifetime: cut.Token))
            {
                await strategy.DispatchAsync(Some.Batch(1), cut.Token);
                await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Token);
                await strategy.DispatchAsync(Some.Batch(2, first: 1), cut.Token);
                await clock.DelayAsync(TimeSpan.FromMilliseconds(2), Token);
                await strategy.DrainAsync(CancellationToken.None);
            }

            Assert.Single(sink.Operations);
            Assert.Equal(TimeSpan.FromMilliseconds(3), clock.Elapsed);
            Assert.Equal(0, clock.PendingTimers);
        });

    [Fact]
    public void Each_event_is_written_once_to_each_sink_in_operations_within_size_degree_and_time()
    {
        var cases =
            from degree in Gen.Choose(1, 40)
            from largest in Gen.Choose(2, 20)
            from linger in Gen.Choose(0, 10)
            from sizes in Gen.Choose(1, 30).ListOf()
            from gaps in Gen.Choose(0, 12).ListOf(sizes.Count)
            from seed in Gen.Choose(0, 1_000_000)
            select (degree, largest, linger, sizes, gaps, seed);
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(cases),
                one =>
                {
                    var random = new Random(one.seed);
                    var log = new List<Write>();
                    OperationSink? sink = null;
                    var (inFlight, most) = (0, 0);
                    VirtualTimeRunner.Run(
                        async clock =>
                        {
                            sink = new OperationSink(
                                clock,
                                one.largest,
                                async cancellationToken =>
                                {
                                    inFlight += sink!.Operations[^1].Events.Count;
                                    most = Math.Max(most, inFlight);
                                    var count = sink.Operations[^1].Events.Count;
                                    await clock.DelayAsync(TimeSpan.FromMilliseconds(random.Next(0, 30)), cancellationToken);
                                    inFlight -= count;
                                }
                            );
                            await using var strategy = Open(
                                clock,
                                one.degree,
                                [sink, RecordingSink.Jittered(clock, "blobs", one.seed, log)],
                                linger: one.linger
                            );
                            var first = 0;
                            foreach (var (size, gap) in one.sizes.Zip(one.gaps))
                            {
                                await strategy.DispatchAsync(Some.Batch(size, first: first), Token);
                                await clock.DelayAsync(TimeSpan.FromMilliseconds(gap), Token);
                                first += size;
                            }

                            await strategy.DrainAsync(Token);
                        },
                        one.seed
                    );
                    var all = Sequences(one.sizes.Sum()).ToList();
                    Assert.Equal(all, sink!.Operations.SelectMany(operation => operation.Events).Order());
                    Assert.Equal(all, log.Select(write => write.Sequence).Order());
                    Assert.All(log, write => Assert.NotNull(write.Finished));
                    Assert.All(sink.Operations, operation => Assert.InRange(operation.Events.Count, 1, one.largest));
                    Assert.InRange(most, 0, one.degree);
                    Assert.All(
                        sink.Operations,
                        operation =>
                            Assert.All(
                                operation.Events,
                                sequence =>
                                    Assert.True(
                                        operation.Begun - log.Single(write => write.Sequence == sequence).Started <= TimeSpan.FromMilliseconds(one.linger)
                                    )
                            )
                    );
                }
            )
        );
    }

    [Theory]
    [InlineData(16)]
    [InlineData(64)]
    public void Constant_latencies_give_pipelineds_rate_with_one_operation_for_as_many_events_as_the_degree(int degree) =>
        Run(async clock =>
        {
            const int Rounds = 5;
            var sink = OperationSink.Taking(clock, 100, Latency);
            await using var strategy = Open(clock, degree, [sink, RecordingSink.Taking(clock, "blobs", Latency / 2, [])]);

            await strategy.DispatchAsync(Some.Batch(Rounds * degree), Token);
            await strategy.DrainAsync(Token);

            Assert.Equal(Rounds * Latency, clock.Elapsed);
            Assert.Equal(Rounds, sink.Operations.Count);
        });

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static IEnumerable<long> Sequences(int count) => Enumerable.Range(0, count).Select(sequence => (long)sequence);

    private static void Run(Func<VirtualClock, Task> body) => VirtualTimeRunner.Run(body);

    private static IProcessingStrategy Open(
        VirtualClock clock,
        int degree,
        IReadOnlyList<ITrackedSink> sinks,
        int? linger = null,
        Action<Exception>? told = null,
        CancellationToken lifetime = default
    )
    {
        var descriptor = StrategyCatalog.Find("batched");
        var chosen = new Dictionary<string, int>(StringComparer.Ordinal) { ["batch-linger"] = linger ?? (int)Linger.TotalMilliseconds };
        return descriptor.Create(
            new StrategyContext
            {
                Degree = degree,
                Sinks = sinks,
                Options = StrategyOptionValues.Of(descriptor.Options, chosen),
                TimeProvider = clock,
                Lifetime = lifetime,
                ReportFailure = told ?? (_ => { }),
            }
        );
    }
}
