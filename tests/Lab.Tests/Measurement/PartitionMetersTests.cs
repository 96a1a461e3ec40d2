using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class PartitionMetersTests : IDisposable
{
    private readonly MeasuredBench bench = new();
    private readonly RunMeasurement measurement;

    public PartitionMetersTests() => measurement = new RunMeasurement(bench.Clock, emulator: null, TwoSinks.Stages);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_partition_has_run_dry_when_the_watermark_is_at_its_last_event(bool deadLettered)
    {
        var meters = new PartitionMeters("0", measurement, bench.Metrics, bench.Clock, lastWaiting: 1);

        meters.Completed(Completion(1, watermark: -1));
        Assert.False(measurement.IsTail);
        meters.Completed(Completion(0, watermark: 1) with { DeadLettered = deadLettered });
        Assert.True(measurement.IsTail);
    }

    [Fact]
    public void The_only_partition_never_runs_dry()
    {
        var meters = new PartitionMeters("0", measurement, bench.Metrics, bench.Clock);

        meters.Completed(Completion(0, watermark: 0));

        Assert.False(measurement.IsTail);
    }

    [Fact]
    public void The_events_in_flight_are_a_mean_over_time_and_over_all_partitions()
    {
        var (first, second) = (Meters("0"), Meters("1"));
        measurement.BatchReceived(4);
        first.Begun(Some.Event(0), 1);
        first.Begun(Some.Event(1), 2);
        second.Begun(Some.Event(0), 1);
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        first.Completed(Of(Some.Event(0)));
        bench.Clock.Advance(TimeSpan.FromSeconds(3));
        second.Completed(Of(Some.Event(0)));
        first.Completed(Of(Some.Event(1)));

        Assert.Equal((3 + (3 * 2)) / 4.0, measurement.Finish().MeanEventsInFlight);
    }

    [Fact]
    public void Events_count_as_in_flight_from_the_end_of_the_warm_up_to_the_end_of_the_section()
    {
        var meters = Meters("0");
        measurement.MeasureFor(new MeasuringTimes(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4)));
        measurement.BatchReceived(9);
        foreach (var inFlight in Enumerable.Range(1, 4))
        {
            meters.Begun(Some.Event(inFlight), inFlight);
        }

        // The section is from 2 s to 6 s. The completion of its last event is reported before.
        bench.Clock.Advance(TimeSpan.FromSeconds(2));
        meters.Completed(Of(Some.Event(1)));
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        meters.Completed(Of(Some.Event(2)));
        bench.Clock.Advance(TimeSpan.FromSeconds(3));
        meters.Completed(Of(Some.Event(3)));
        bench.Clock.Advance(TimeSpan.FromSeconds(5));
        meters.Completed(Of(Some.Event(4)));

        Assert.Equal((3 + (3 * 2)) / 4.0, measurement.Finish().MeanEventsInFlight);
    }

    [Fact]
    public void A_partition_whose_events_outlast_the_section_counts_up_to_its_end()
    {
        var (first, second) = (Meters("0"), new PartitionMeters("1", measurement, bench.Metrics, bench.Clock, lastWaiting: 0));
        measurement.BatchReceived(4);
        first.Begun(Some.Event(0), 1);
        second.Begun(Some.Event(0), 1);
        bench.Clock.Advance(TimeSpan.FromSeconds(2));
        second.Completed(Completion(0, watermark: 0));
        bench.Clock.Advance(TimeSpan.FromSeconds(7));
        first.Completed(Of(Some.Event(0)));

        Assert.Equal(2, measurement.Finish().MeanEventsInFlight);
    }

    [Fact]
    public void Events_that_leave_without_being_complete_are_in_flight_no_longer_once_another_one_begins()
    {
        var meters = Meters("0");
        measurement.BatchReceived(4);
        meters.Begun(Some.Event(0), 1);
        meters.Begun(Some.Event(1), 2);
        meters.Begun(Some.Event(2), 1);
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        meters.Completed(Of(Some.Event(2)));

        Assert.Equal(1, measurement.Finish().MeanEventsInFlight);
    }

    [Theory]
    [InlineData(1.0)]
    [InlineData(0.4)]
    public void A_stall_is_in_the_tail_of_the_time_from_the_scheduled_send_time(double stalled)
    {
        const int rate = 100;
        var (served, length) = (TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(120));
        var (begins, stall) = (TimeSpan.FromSeconds(50), TimeSpan.FromSeconds(stalled));
        var (meters, start) = (Meters("0"), bench.Clock.GetUtcNow());
        var now = TimeSpan.Zero;
        measurement.BatchReceived(1);
        foreach (var index in Enumerable.Range(0, rate * (int)length.TotalSeconds))
        {
            var meant = TimeSpan.FromSeconds((double)index / rate);
            var done = meant + served;
            done = done >= begins && done < begins + stall ? begins + stall : done;
            bench.Clock.Advance(done - now);
            now = done;
            meters.Completed(Of(MeantAt(index, start + meant)));
        }

        // A thousandth of all events is longer: those that were meant in the first 0.12 s of the stall.
        var theory = (served + stall - (0.001 * length)).TotalMilliseconds;
        Assert.InRange(measurement.Section[Stage.EndToEnd].Percentile(99.9)!.Value.TotalMilliseconds, 0.95 * theory, 1.05 * theory);
        Assert.InRange(measurement.Section[Stage.EndToEnd].Percentile(50)!.Value.TotalMilliseconds, 19.9, 20.1);
    }

    [Fact]
    public void The_distinct_keys_in_flight_are_a_mean_over_time_and_over_all_partitions()
    {
        var (first, second) = (Meters("0"), Meters("1"));
        measurement.BatchReceived(4);

        // Two events of one key, with another one beside them for a part of the time, and a key of another partition.
        first.Begun(Some.Event(0, key: "a"), 1);
        first.Begun(Some.Event(1, key: "a"), 2);
        second.Begun(Some.Event(0, key: "c"), 1);
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        first.Begun(Some.Event(2, key: "b"), 3);
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        first.Completed(Of(Some.Event(2, key: "b")));
        first.Completed(Of(Some.Event(0, key: "a")));
        bench.Clock.Advance(TimeSpan.FromSeconds(2));
        second.Completed(Of(Some.Event(0, key: "c")));
        first.Completed(Of(Some.Event(1, key: "a")));

        Assert.Equal((4 + 4 + 1) / 4.0, measurement.Finish().MeanKeysInFlight);
    }

    [Fact]
    public void Keys_that_were_in_flight_in_the_warm_up_count_from_its_end()
    {
        var meters = Meters("0");
        measurement.WarmUpFor(batch: 10, backlog: 4);
        measurement.BatchReceived(4);
        meters.Begun(Some.Event(0, key: "a"), 1);
        meters.Begun(Some.Event(1, key: "b"), 2);
        bench.Clock.Advance(TimeSpan.FromSeconds(5));
        meters.Completed(Of(Some.Event(0, key: "a")));
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        meters.Completed(Of(Some.Event(1, key: "b")));

        Assert.Equal(1, measurement.Finish().MeanKeysInFlight);
    }

    [Fact]
    public void Events_without_keys_have_no_keys_in_flight()
    {
        var meters = Meters("0");
        meters.Begun(Some.Event(0), 1);
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        meters.Completed(Of(Some.Event(0)));

        Assert.Null(measurement.Finish().MeanKeysInFlight);
    }

    public void Dispose()
    {
        measurement.Dispose();
        bench.Dispose();
    }

    // Without a stamp of its sender an event was meant for when it was enqueued.
    private static ReceivedEvent MeantAt(long sequence, DateTimeOffset at) =>
        new()
        {
            PartitionId = "0",
            SequenceNumber = sequence,
            Offset = $"{sequence}",
            EnqueuedTime = at,
            Body = default,
        };

    private PartitionMeters Meters(string partition) => new(partition, measurement, bench.Metrics, bench.Clock);

    private static EventCompletion Of(ReceivedEvent receivedEvent) => new(receivedEvent, TimeSpan.FromMilliseconds(1), 1, DeadLettered: false);

    private static EventCompletion Completion(long sequence, long watermark) =>
        new(Some.Batch(1, first: (int)sequence).Events[0], TimeSpan.FromMilliseconds(1), watermark < 0 ? 0 : 2, DeadLettered: false) { Watermark = watermark };
}
