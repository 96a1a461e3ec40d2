using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What pipelined promises beside the contract of every strategy.</summary>
public sealed class PipelinedStrategyTests
{
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void Whole_batches_are_accepted_together_and_their_events_begin_in_order()
    {
        var cases =
            from degree in Gen.Choose(1, 20)
            from sizes in Gen.Choose(1, 30).ListOf()
            from seed in Gen.Choose(0, 1_000_000)
            select (degree, sizes, seed);
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(cases),
                one =>
                {
                    var log = new List<Write>();
                    VirtualTimeRunner.Run(async clock =>
                    {
                        await using var strategy = Open(one.degree, RecordingSink.Jittered(clock, "a", one.seed, log));
                        var first = 0;
                        foreach (var size in one.sizes)
                        {
                            await strategy.DispatchAsync(Some.Batch(size, first: first).Events, TestContext.Current.CancellationToken);
                            first += size;
                        }

                        Assert.Equal(TimeSpan.Zero, clock.Elapsed);
                        await strategy.DrainAsync(TestContext.Current.CancellationToken);
                    });
                    Assert.Equal(Enumerable.Range(0, one.sizes.Sum()).Select(sequence => (long)sequence), log.Select(write => write.Sequence));
                }
            )
        );
    }

    [Fact]
    public void A_slow_event_takes_only_one_place_of_the_degree() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            await using var strategy = Open(
                2,
                new RecordingSink(
                    clock,
                    "a",
                    (written, cancellationToken) => clock.DelayAsync(written.SequenceNumber == 0 ? 1000 * Latency : Latency, cancellationToken),
                    log
                )
            );
            for (var first = 0; first < 50; first += 5)
            {
                await strategy.DispatchAsync(Some.Batch(5, first: first).Events, TestContext.Current.CancellationToken);
            }

            await strategy.DrainAsync(TestContext.Current.CancellationToken);

            Assert.Equal(49 * Latency, log.Where(write => write.Sequence > 0).Max(write => write.Finished));
            Assert.Equal(1000 * Latency, clock.Elapsed);
        });

    [Fact]
    public void Takes_nothing_more_once_a_write_has_failed() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var reported = new List<Exception>();
            var sink = new RecordingSink(
                clock,
                "a",
                async (written, cancellationToken) =>
                {
                    await clock.DelayAsync(Latency, cancellationToken);
                    if (written.SequenceNumber == 3)
                    {
                        throw new IOException("the sink has failed for good");
                    }
                },
                log
            );
            await using var strategy = StrategyCatalog
                .Find("pipelined")
                .Create(
                    new StrategyContext
                    {
                        MaxConcurrency = 2,
                        Sinks = [sink],
                        ReportFailure = reported.Add,
                    }
                );

            await strategy.DispatchAsync(Some.Batch(10).Events, TestContext.Current.CancellationToken);
            await clock.DelayAsync(10 * Latency, TestContext.Current.CancellationToken);
            await strategy.DispatchAsync(Some.Batch(10, first: 10).Events, TestContext.Current.CancellationToken);
            await strategy.DrainAsync(TestContext.Current.CancellationToken);

            Assert.IsType<IOException>(Assert.Single(reported));
            Assert.All(log, write => Assert.InRange(write.Sequence, 0, 4));
            Assert.All(log, write => Assert.True(write.Ended));
        });

    [Fact]
    public void Allocates_nothing_for_an_event_while_others_wait()
    {
        const int Events = 10_000;
        var batches = new[] { Some.Batch(Events).Events, Some.Batch(Events, first: Events).Events };
        var allocated = 0L;
        VirtualTimeRunner.Run(async _ =>
        {
            var instant = new Instant();
            await using var strategy = StrategyCatalog.Find("pipelined").Create(new StrategyContext { Sinks = [instant, instant] });
            foreach (var batch in batches)
            {
                // What grows to the size of the window has grown with the first.
                var before = GC.GetAllocatedBytesForCurrentThread();
                await strategy.DispatchAsync(batch, TestContext.Current.CancellationToken);
                await strategy.DrainAsync(TestContext.Current.CancellationToken);
                allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            }

            Assert.Equal(4 * Events, instant.Written);
        });

        Assert.InRange(allocated, 0, Events);
    }

    private static IProcessingStrategy Open(int degree, ITrackedSink sink) =>
        StrategyCatalog.Find("pipelined").Create(new StrategyContext { MaxConcurrency = degree, Sinks = [sink] });

    private sealed class Instant : ITrackedSink
    {
        public int Written { get; private set; }

        public string Name => "instant";

        public ValueTask<WriteOutcome> WriteAsync(Events.EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            Written++;
            return new ValueTask<WriteOutcome>(new WriteOutcome(TimeSpan.Zero, 1, Throttled: false));
        }

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<Events.EventSlot> events, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
