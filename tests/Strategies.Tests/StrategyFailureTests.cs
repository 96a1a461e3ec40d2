using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What every strategy of the catalogue does when a sink fails or the caller cancels.</summary>
public sealed class StrategyFailureTests
{
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    public static TheoryData<string> Names => [.. StrategyCatalog.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_sinks_failure_surfaces_as_it_is_and_nothing_stays_in_flight(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var good = RecordingSink.Taking(clock, "good", Latency * 3, log);
            var bad = new RecordingSink(
                clock,
                "bad",
                async (written, cancellationToken) =>
                {
                    await clock.DelayAsync(Latency, cancellationToken);
                    if (written.SequenceNumber == 5)
                    {
                        throw new SinkFailedException();
                    }
                },
                log
            );

            await Assert.ThrowsAsync<SinkFailedException>(() => Process(name, 4, 40, [good, bad], TestContext.Current.CancellationToken));

            Assert.All(log, write => Assert.True(write.Ended));
            Assert.Null(Assert.Single(log, write => write is { Sink: "bad", Sequence: 5 }).Finished);

            // The others in flight were finished, none was cut; after the failure no further event was begun.
            Assert.All(log.Where(write => write is not { Sink: "bad", Sequence: 5 }), write => Assert.NotNull(write.Finished));
            Assert.True(log.Max(write => write.Sequence) < 40 - 1, "the batch went on after the failure");
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void An_event_after_the_failed_one_is_not_begun_where_order_is_promised(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var bad = new RecordingSink(clock, "bad", (written, _) => written.SequenceNumber == 5 ? throw new SinkFailedException() : Task.CompletedTask, log);

            await Assert.ThrowsAsync<SinkFailedException>(() => Process(name, 4, 10, [bad], TestContext.Current.CancellationToken));

            if (StrategyCatalog.Find(name).Ordering == OrderingGuarantee.Partition)
            {
                Assert.Equal([0L, 1, 2, 3, 4, 5], log.Select(write => write.Sequence));
            }
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void Several_failures_at_once_surface(string name)
    {
        for (var seed = 0; seed < 200; seed++)
        {
            VirtualTimeRunner.Run(
                async clock =>
                {
                    var log = new List<Write>();
                    var bad = new RecordingSink(
                        clock,
                        "bad",
                        async (_, cancellationToken) =>
                        {
                            await clock.DelayAsync(Latency, cancellationToken);
                            throw new SinkFailedException();
                        },
                        log
                    );

                    await Assert.ThrowsAsync<SinkFailedException>(() => Process(name, 4, 10, [bad, bad], TestContext.Current.CancellationToken));

                    Assert.All(log, write => Assert.True(write is { Ended: true, Finished: null }));
                },
                seed
            );
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_sink_that_throws_before_its_first_await_fails_alike_and_writes_begun_are_awaited(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var good = RecordingSink.Taking(clock, "good", Latency, log);
            var bad = new ImmediateSink(() => throw new SinkFailedException());

            await Assert.ThrowsAsync<SinkFailedException>(() => Process(name, 4, 10, [good, bad], TestContext.Current.CancellationToken));

            Assert.NotEmpty(log);
            Assert.All(log, write => Assert.NotNull(write.Finished));
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void A_write_that_its_sink_cancelled_is_no_success(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var sink = new RecordingSink(
                clock,
                "a",
                (written, _) => written.SequenceNumber == 3 ? throw new OperationCanceledException("time-out") : Task.CompletedTask,
                []
            );

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Process(name, 2, 6, [sink], TestContext.Current.CancellationToken));
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void Cancelling_surfaces_as_cancellation_and_cuts_the_writes(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            using var cancellation = new CancellationTokenSource(Latency * 2.5, clock);

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
                Process(name, 2, 100, [RecordingSink.Taking(clock, "a", Latency, log), RecordingSink.Taking(clock, "b", Latency, log)], cancellation.Token)
            );

            Assert.Equal(Latency * 2.5, clock.Elapsed);
            Assert.All(log, write => Assert.True(write.Ended));
            Assert.Contains(log, write => write.Finished is null);
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void After_cancelling_no_write_is_begun_even_when_the_sinks_pay_no_heed(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            using var cancellation = new CancellationTokenSource(Latency * 2.5, clock);
            var deaf = new RecordingSink(clock, "deaf", (_, _) => clock.DelayAsync(Latency, CancellationToken.None), log);

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Process(name, 2, 100, [deaf, deaf], cancellation.Token));

            Assert.All(log, write => Assert.True(write.Started < Latency * 2.5));
            Assert.All(log, write => Assert.NotNull(write.Finished));
            Assert.Equal(Latency * 3, clock.Elapsed);
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void A_token_cancelled_beforehand_lets_no_write_begin(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
                Process(name, 2, 10, [RecordingSink.Taking(clock, "a", Latency, log)], new CancellationToken(canceled: true))
            );

            Assert.Empty(log);
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void After_a_failure_a_drain_ends_at_once(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var strategy = StrategyCatalog.Find(name).Create(new StrategyContext { Degree = 4 });
            await Assert.ThrowsAsync<SinkFailedException>(() =>
                strategy.ProcessAsync(Some.Batch(10), [new ImmediateSink(() => throw new SinkFailedException())], TestContext.Current.CancellationToken)
            );
            var before = clock.Elapsed;

            await strategy.DrainAsync(TestContext.Current.CancellationToken);

            Assert.Equal(before, clock.Elapsed);
        });

    private static Task Process(string name, int degree, int count, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken) =>
        StrategyCatalog.Find(name).Create(new StrategyContext { Degree = degree }).ProcessAsync(Some.Batch(count), sinks, cancellationToken);

    private sealed class SinkFailedException : Exception;
}
