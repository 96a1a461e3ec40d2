using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

/// <summary>Twelve events in virtual time: a message takes 18 ms, a blob 9 ms, a checkpoint 25 ms. A batch has ten events, the degree is 8.</summary>
public sealed class EventSampleTests
{
    private const int Events = 100;

    [Fact]
    public void Baseline_writes_one_after_another_and_waits_for_the_checkpoint_of_the_batch()
    {
        var sample = Record("baseline");

        Assert.Equal([.. Enumerable.Range(0, 10).Select(static place => 27.0 * place), 295, 322], sample.Events.Select(static one => one.BegunMs!.Value));
        Assert.All(
            sample.Events,
            static one =>
            {
                Assert.Equal(18, one.Writes["servicebus"].ToMs - one.Writes["servicebus"].FromMs, 3);
                Assert.Equal(one.Writes["servicebus"].ToMs, one.Writes["blob"].FromMs, 3);
                Assert.Equal(one.Writes["blob"].ToMs, one.CompletedMs);
            }
        );
        Assert.Equal([270.0, 565.0], sample.Checkpoints.Select(static one => one.FromMs));
        Assert.Equal([.. Enumerable.Repeat(295.0, 10), 590, 590], sample.Events.Select(static one => one.BatchEndedMs!.Value));
        Assert.Equal([.. Enumerable.Repeat(0.0, 10), 295, 295], sample.Events.Select(static one => one.ReceivedMs));
    }

    [Fact]
    public void Combined_writes_concurrently_and_waits_for_the_slowest_of_the_batch()
    {
        var sample = Record("combined");

        Assert.Equal([.. Enumerable.Repeat(0.0, 8), 18, 18, 61, 61], sample.Events.Select(static one => one.BegunMs!.Value));
        Assert.All(sample.Events, static one => Assert.Equal(one.Writes["servicebus"].FromMs, one.Writes["blob"].FromMs));
        Assert.Equal((36, 61), (sample.Checkpoints[0].FromMs, sample.Checkpoints[0].ToMs));
    }

    [Fact]
    public void Pipelined_ends_a_batch_before_its_events_are_complete()
    {
        var sample = Record("pipelined");

        Assert.Equal(12, sample.Events.Count);
        Assert.Contains(sample.Events, static one => one.BatchEndedMs < one.CompletedMs);
        Assert.True(sample.Events.Max(static one => one.CompletedMs) < 3 * 18);
    }

    [Fact]
    public void The_events_are_the_first_consecutive_ones_after_the_warm_up()
    {
        var warm = false;
        var sample = Record("baseline", clock => new EventSample(() => warm, clock, ["servicebus", "blob"]), () => warm = true, warmAfter: 35);

        Assert.Equal(Enumerable.Range(40, 12).Select(static sequence => (long)sequence), sample!.Events.Select(static one => one.Sequence));
    }

    [Fact]
    public void Without_an_event_after_the_warm_up_there_is_none() =>
        Assert.Null(Record("baseline", static clock => new EventSample(static () => false, clock, ["servicebus", "blob"])));

    [Fact]
    public void One_partition_records()
    {
        var clock = new VirtualClock();
        var sample = new EventSample(static () => true, clock, ["servicebus", "blob"]);
        var (first, second) = (sample.ObserverOf("0"), sample.ObserverOf("1"));

        second.HandedOver(Some.Batch(3).Events, 3);
        first.HandedOver(Some.Batch(5).Events, 5);

        Assert.Equal(("1", 3), (sample.Read()!.Partition, sample.Read()!.Events.Count));
    }

    [Fact]
    public void An_event_that_was_not_complete_at_the_end_has_the_times_until_then()
    {
        var clock = new VirtualClock();
        var sample = new EventSample(static () => true, clock, ["servicebus", "blob"]);
        var observer = sample.ObserverOf("0");
        var events = Some.Batch(2).Events;

        observer.BatchReceived(2, waited: null);
        clock.Advance(TimeSpan.FromMilliseconds(3));
        observer.HandedOver(events, 2);
        observer.Begun(events[0], 1);
        clock.Advance(TimeSpan.FromMilliseconds(9));
        observer.Acknowledged(events[0].SequenceNumber, 1, TimeSpan.FromMilliseconds(9));
        observer.Closed(lost: true);
        observer.Begun(events[1], 2);

        var read = sample.Read()!.Events;
        Assert.Equal((0, 3, 3), (read[0].ReceivedMs, read[0].HandedOverMs, read[0].BegunMs));
        Assert.Equal(["blob"], read[0].Writes.Keys);
        Assert.Null(read[0].CompletedMs);
        Assert.Null(read[1].BegunMs);
    }

    private static SampledEvents Record(string strategy) =>
        Record(strategy, static clock => new EventSample(static () => true, clock, ["servicebus", "blob"]))!;

    private static SampledEvents? Record(string strategy, Func<VirtualClock, EventSample> create, Action? warmUp = null, int warmAfter = 0)
    {
        SampledEvents? read = null;
        VirtualTimeRunner.Run(async clock =>
        {
            var sample = create(clock);
            var observer = sample.ObserverOf("0");
            var pump = new TimedPump(StrategyCatalog.Find(strategy), clock)
            {
                MessageOf = sequence =>
                {
                    if (sequence == warmAfter)
                    {
                        warmUp?.Invoke();
                    }

                    return TimedPump.Message;
                },
            };
            await pump.RunAsync(Events, observer);
            read = sample.Read();
        });
        return read;
    }
}
