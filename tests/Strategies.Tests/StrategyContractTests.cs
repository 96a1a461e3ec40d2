using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What every strategy of the catalogue promises.</summary>
public sealed class StrategyContractTests
{
    private static readonly Config Cases = Config.QuickThrowOnFailure.WithMaxTest(Budget.Cases);
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    public static TheoryData<string> Names => [.. StrategyCatalog.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Writes_every_event_to_every_sink_once_under_any_schedule(string name) =>
        Prop.ForAll(
                Workload.Arbitrary,
                workload =>
                {
                    var log = workload.Run(name);
                    var expected =
                        from sequence in Enumerable.Range(0, workload.Batch)
                        from sink in Enumerable.Range(0, workload.Sinks)
                        select ($"sink{sink}", (long)sequence);
                    return log.Select(write => (write.Sink, write.Sequence)).Order().SequenceEqual(expected.Order())
                        && log.All(write => write.Finished is not null);
                }
            )
            .Check(Cases);

    [Theory]
    [MemberData(nameof(Names))]
    public void Keeps_the_order_that_it_promises(string name) =>
        Prop.ForAll(
                Workload.Arbitrary,
                workload =>
                {
                    var log = workload.Run(name);
                    return StrategyCatalog.Find(name).Ordering != OrderingGuarantee.Partition
                        || log.All(write =>
                            log.Where(earlier => earlier.Sequence < write.Sequence)
                                .All(earlier => earlier.Finished <= write.Started && log.IndexOf(earlier) < log.IndexOf(write))
                        );
                }
            )
            .Check(Cases);

    [Theory]
    [MemberData(nameof(Names))]
    public void Keeps_at_most_the_degree_of_events_in_flight(string name) =>
        Prop.ForAll(
                Workload.Arbitrary,
                workload =>
                {
                    var log = workload.Run(name);
                    return log.All(write =>
                        log.Where(other => other.Started <= write.Started && write.Started < other.Finished).Select(other => other.Sequence).Distinct().Count()
                        <= workload.Degree
                    );
                }
            )
            .Check(Cases);

    [Theory]
    [MemberData(nameof(Names))]
    public void Completes_at_once_without_sinks(string name) =>
        Assert.Equal(TimeSpan.Zero, VirtualTimeRunner.Run(_ => Make(name, 4).ProcessAsync(Some.Batch(20), [], TestContext.Current.CancellationToken)));

    [Theory]
    [MemberData(nameof(Names))]
    public void Has_nothing_in_flight_when_it_is_drained(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var strategy = Make(name, 4);
            await strategy.ProcessAsync(Some.Batch(10), [RecordingSink.Jittered(clock, "a", 1, log)], TestContext.Current.CancellationToken);

            await strategy.DrainAsync(TestContext.Current.CancellationToken);

            Assert.Equal(10, log.Count(write => write.Ended));
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void One_instance_processes_batch_after_batch(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var strategy = Make(name, 3);
            for (var batch = 0; batch < 5; batch++)
            {
                await strategy.ProcessAsync(
                    Some.Batch(7, first: batch * 7),
                    [RecordingSink.Jittered(clock, "a", batch, log)],
                    TestContext.Current.CancellationToken
                );
            }

            await strategy.DrainAsync(TestContext.Current.CancellationToken);
            Assert.Equal(Enumerable.Range(0, 35).Select(i => (long)i), log.Select(write => write.Sequence).Order());
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void A_new_instance_is_made_for_every_partition(string name) => Assert.NotSame(Make(name, 1), Make(name, 1));

    [Theory]
    [MemberData(nameof(Names))]
    public void Stays_on_the_callers_scheduler(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var scheduler = TaskScheduler.Current;
            var thread = Environment.CurrentManagedThreadId;
            var sink = new RecordingSink(
                clock,
                "a",
                async (_, cancellationToken) =>
                {
                    Assert.Same(scheduler, TaskScheduler.Current);
                    await clock.DelayAsync(Latency, cancellationToken);
                    Assert.Equal(thread, Environment.CurrentManagedThreadId);
                },
                []
            );

            await Make(name, 4).ProcessAsync(Some.Batch(20), [sink, sink], TestContext.Current.CancellationToken);
        });

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Works_off_the_runner_with_sinks_that_complete_at_once(string name)
    {
        var count = 0;
        var sink = new ImmediateSink(() => Interlocked.Increment(ref count));

        await Make(name, 8).ProcessAsync(Some.Batch(1000), [sink, sink], TestContext.Current.CancellationToken);

        Assert.Equal(2000, count);
    }

    private static IProcessingStrategy Make(string name, int degree) => StrategyCatalog.Find(name).Create(new StrategyContext { Degree = degree });
}
