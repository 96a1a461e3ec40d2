using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class RunMeasurementTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly RunMeasurement measurement;

    public RunMeasurementTests() => measurement = new RunMeasurement(clock, emulator: null, TwoSinks.Stages);

    [Fact]
    public void Leaves_the_warm_up_out_of_every_figure()
    {
        measurement.WarmUpFor(batch: 10, backlog: 1_000);
        for (var batch = 0; batch < 10; batch++)
        {
            RunBatch(10, TimeSpan.FromSeconds(5));
        }

        for (var batch = 0; batch < 20; batch++)
        {
            RunBatch(10, TimeSpan.FromSeconds(1));
        }

        var figures = measurement.Finish();
        Assert.Equal((300, 200), (figures.Completed, figures.Section.Completed));
        Assert.Equal(10, figures.EventsPerSecond);
        Assert.Equal(TimeSpan.FromSeconds(50), figures.WarmUp);
        Assert.Equal(20, figures.Section.BatchSizes[10]);
        Assert.Equal(200, figures.Section[TwoSinks.ServiceBus].Count);
        Assert.Equal(TimeSpan.FromSeconds(70), figures.Whole);
    }

    [Fact]
    public void Never_spends_more_than_a_quarter_of_the_backlog_on_the_warm_up()
    {
        measurement.WarmUpFor(batch: 10, backlog: 40);
        RunBatch(10, TimeSpan.FromSeconds(5));
        RunBatch(10, TimeSpan.FromSeconds(1));

        Assert.Equal(10, measurement.Finish().Section.Completed);
    }

    [Fact]
    public void Live_rate_equals_the_final_rate_and_is_absent_during_the_warm_up()
    {
        measurement.WarmUpFor(batch: 1, backlog: 40);
        RunBatch(5, TimeSpan.FromSeconds(5));
        Assert.Equal(default, measurement.Measured);
        RunBatch(5, TimeSpan.FromSeconds(5));
        RunBatch(10, TimeSpan.FromSeconds(1));
        Assert.Equal(new MeasuredRate(10, TimeSpan.FromSeconds(1)), measurement.Measured);
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(5, measurement.Measured.EventsPerSecond);

        var figures = measurement.Finish();
        clock.Advance(TimeSpan.FromHours(1));

        Assert.Equal(10, figures.EventsPerSecond);
        Assert.Equal(10, measurement.Measured.EventsPerSecond);
    }

    [Fact]
    public void Measures_nothing_of_a_run_that_ends_in_its_warm_up()
    {
        measurement.WarmUpFor(batch: 10, backlog: 1_000);
        RunBatch(10, TimeSpan.FromSeconds(5));

        var figures = measurement.Finish();
        Assert.Equal((10, 0, TimeSpan.Zero), (figures.Completed, figures.Section.Completed, figures.Measured));
        Assert.Equal((null, TimeSpan.FromSeconds(5)), (figures.EventsPerSecond, figures.WarmUp));
        Assert.Equal(TimeSpan.Zero, figures.ConsumerCpu);
    }

    [Fact]
    public void Ends_with_the_last_completion()
    {
        RunBatch(10, TimeSpan.FromSeconds(1));
        measurement.BatchReceived(5);
        clock.Advance(TimeSpan.FromSeconds(1));
        measurement.EventCompleted(TimeSpan.Zero);
        clock.Advance(TimeSpan.FromSeconds(5));
        measurement.Ending();

        var figures = measurement.Finish();
        Assert.Equal((11, TimeSpan.FromSeconds(2)), (figures.Section.Completed, figures.Measured));
    }

    [Fact]
    public void Measures_by_the_same_ruler_whether_batches_wait_for_each_other_or_not()
    {
        measurement.WarmUpFor(batch: 10, backlog: 40);
        for (var batch = 0; batch < 4; batch++)
        {
            measurement.BatchReceived(10);
        }

        for (var i = 0; i < 40; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            measurement.EventCompleted(TimeSpan.Zero);
        }

        var figures = measurement.Finish();
        Assert.Equal((30, TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(10)), (figures.Section.Completed, figures.Measured, figures.WarmUp));
    }

    [Fact]
    public void Holds_whole_batches_with_what_each_of_them_costs_beside_its_writes()
    {
        // Batches of 10 take 1 s, and 0.5 s go by between the last write of one and the first of the next.
        measurement.WarmUpFor(batch: 1, backlog: 80);
        for (var batch = 0; batch < 8; batch++)
        {
            RunBatch(10, TimeSpan.FromSeconds(1));
            clock.Advance(TimeSpan.FromSeconds(0.5));
        }

        var figures = measurement.Finish();
        Assert.Equal(10 / 1.5, figures.EventsPerSecond!.Value, 6);
        Assert.Equal(7, figures.Section.BatchSizes[10]);
    }

    [Fact]
    public void The_section_ends_where_one_of_several_partitions_runs_dry_and_the_tail_is_separate()
    {
        measurement.WarmUpFor(batch: 1, backlog: 80);
        for (var batch = 0; batch < 3; batch++)
        {
            RunBatch(10, TimeSpan.FromSeconds(1));
        }

        measurement.PartitionRanDry();
        RunBatch(5, TimeSpan.FromSeconds(10));
        measurement.PartitionRanDry();
        RunBatch(2, TimeSpan.FromSeconds(4));
        Assert.Equal((true, new MeasuredRate(20, TimeSpan.FromSeconds(2))), (measurement.IsTail, measurement.Measured));

        var figures = measurement.Finish();
        Assert.Equal((37, 10, 20), (figures.Completed, figures.WarmUpEvents, figures.Section.Completed));
        Assert.Equal((10, TimeSpan.FromSeconds(17)), (figures.EventsPerSecond, figures.Whole));
        Assert.Equal(new MeasuredRate(7, TimeSpan.FromSeconds(14)), figures.Tail);
        Assert.Equal(20, figures.Section[TwoSinks.ServiceBus].Count);
    }

    [Fact]
    public void Measures_nothing_of_a_run_in_whose_warm_up_a_partition_runs_dry()
    {
        measurement.WarmUpFor(batch: 10, backlog: 1_000);
        RunBatch(10, TimeSpan.FromSeconds(5));
        measurement.PartitionRanDry();
        RunBatch(200, TimeSpan.FromSeconds(20));

        var figures = measurement.Finish();
        Assert.Equal((0, 10, TimeSpan.Zero), (figures.Section.Completed, figures.WarmUpEvents, figures.Measured));
        Assert.Equal((null, TimeSpan.FromSeconds(5)), (figures.EventsPerSecond, figures.WarmUp));
        Assert.Equal(new MeasuredRate(200, TimeSpan.FromSeconds(20)), figures.Tail);
    }

    [Fact]
    public void Leaves_out_a_time_and_measures_a_time_from_completion_to_completion()
    {
        measurement.WarmUpFor(batch: 1_000, backlog: 1_000);
        measurement.MeasureFor(new MeasuringTimes(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5)));
        measurement.BatchReceived(10);
        Complete(10, TimeSpan.FromSeconds(0.3));

        // The seventh completion is the first one after 2 s, the 24th the first one 5 s later.
        Assert.False(measurement.Ended.IsCompleted);
        Complete(13, TimeSpan.FromSeconds(0.3));
        Assert.False(measurement.Ended.IsCompleted);
        Complete(1, TimeSpan.FromSeconds(0.3));
        Assert.True(measurement.Ended.IsCompletedSuccessfully);
        Complete(4, TimeSpan.FromSeconds(1));

        var figures = measurement.Finish();
        Assert.Equal((28, 7, 17), (figures.Completed, figures.WarmUpEvents, figures.Section.Completed));
        Assert.Equal((TimeSpan.FromSeconds(2.1), TimeSpan.FromSeconds(5.1)), (figures.WarmUp, figures.Measured));
        Assert.Equal(new MeasuredRate(4, TimeSpan.FromSeconds(4)), figures.Tail);
        Assert.Equal([3, 3, 3, 4, 3], figures.Section.OverTime.Windows(TimeSpan.FromSeconds(1), figures.Measured).Select(static window => window.Events));
    }

    [Theory]
    [InlineData(90.0, 20, false)]
    [InlineData(110.0, 5, true)]
    public void Ends_early_where_a_quarter_of_the_time_shows_that_its_rate_is_hopeless(double below, int seconds, bool hopeless)
    {
        measurement.MeasureFor(new MeasuringTimes(TimeSpan.Zero, TimeSpan.FromSeconds(20)) { HopelessBelow = below });
        measurement.BatchReceived(10);
        Complete(2_100, TimeSpan.FromMilliseconds(10));

        var figures = measurement.Finish();
        Assert.True(measurement.Ended.IsCompletedSuccessfully);
        Assert.Equal(hopeless, figures.IsHopeless);
        Assert.Equal(seconds, figures.Measured.TotalSeconds, 0.05);
        Assert.Equal(100, figures.EventsPerSecond!.Value, 0.5);
    }

    [Fact]
    public void Few_events_say_nothing_of_hope()
    {
        measurement.MeasureFor(new MeasuringTimes(TimeSpan.Zero, TimeSpan.FromSeconds(20)) { HopelessBelow = 100 });
        measurement.BatchReceived(10);
        Complete(40, TimeSpan.FromSeconds(0.6));

        var figures = measurement.Finish();
        Assert.False(figures.IsHopeless);
        Assert.Equal(20, figures.Measured.TotalSeconds, 0.7);
    }

    [Fact]
    public void Measures_what_there_is_where_it_ends_before_its_time()
    {
        measurement.MeasureFor(new MeasuringTimes(WarmUp: null, TimeSpan.FromSeconds(5)));
        RunBatch(10, TimeSpan.FromSeconds(2));

        var figures = measurement.Finish();
        Assert.Equal((10, TimeSpan.FromSeconds(2), null), (figures.Section.Completed, figures.Measured, figures.Tail));
        Assert.False(measurement.Ended.IsCompleted);
    }

    [Fact]
    public void Has_measured_enough_where_a_partition_of_several_runs_dry_before_the_time()
    {
        measurement.MeasureFor(new MeasuringTimes(WarmUp: null, TimeSpan.FromSeconds(5)));
        RunBatch(10, TimeSpan.FromSeconds(2));
        measurement.PartitionRanDry();

        Assert.True(measurement.Ended.IsCompletedSuccessfully);
        Assert.Equal(TimeSpan.FromSeconds(2), measurement.Finish().Measured);
    }

    [Fact]
    public void Drains_from_when_nothing_is_begun_any_more_to_the_last_completion()
    {
        Assert.Null(measurement.Finish().Drain);
        using var other = new RunMeasurement(clock, emulator: null, TwoSinks.Stages);
        other.BatchReceived(2);
        other.EventCompleted(TimeSpan.Zero);
        other.Ending();
        clock.Advance(TimeSpan.FromSeconds(3));
        other.EventCompleted(TimeSpan.Zero);
        clock.Advance(TimeSpan.FromSeconds(4));

        Assert.Equal(TimeSpan.FromSeconds(3), other.Finish().Drain);
    }

    [Fact]
    public void The_measurement_has_the_processor_time_of_each_second_of_its_section()
    {
        clock.Advance(TimeSpan.FromSeconds(1.5));
        measurement.ProcessorTimes.Add(TimeSpan.FromSeconds(1));
        clock.Advance(TimeSpan.FromSeconds(0.5));
        measurement.BatchReceived(10);
        clock.Advance(TimeSpan.FromSeconds(0.5));
        measurement.ProcessorTimes.Add(TimeSpan.FromSeconds(2));
        clock.Advance(TimeSpan.FromSeconds(1));
        measurement.ProcessorTimes.Add(TimeSpan.FromSeconds(2.5));
        clock.Advance(TimeSpan.FromSeconds(9));
        measurement.ProcessorTimes.Add(TimeSpan.FromSeconds(9));

        var cpuBetween = measurement.Finish().CpuBetween!;
        Assert.Equal(TimeSpan.FromSeconds(0.75), cpuBetween(TimeSpan.Zero, TimeSpan.FromSeconds(1)));
        Assert.Null(cpuBetween(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)));
        Assert.Null(cpuBetween(TimeSpan.FromSeconds(-1), TimeSpan.Zero));
        Assert.Null(cpuBetween(TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(11)));
    }

    [Fact]
    public void Has_no_tail_where_no_partition_ran_dry_before_others()
    {
        RunBatch(10, TimeSpan.FromSeconds(1));

        Assert.Null(measurement.Finish().Tail);
    }

    [Fact]
    public void Reads_what_the_processes_used_when_the_work_ends_and_not_later()
    {
        RunBatch(1, TimeSpan.FromSeconds(1));
        measurement.Ending();
        var allocated = new byte[10_000_000];

        Assert.True(measurement.Finish().Runtime.AllocatedBytes < allocated.Length);
    }

    [Fact]
    public void The_measurement_has_the_most_events_that_were_in_flight_since_the_warm_up()
    {
        measurement.WarmUpFor(batch: 1, backlog: 8);
        measurement.EventBegun(9);
        RunBatch(2, TimeSpan.FromSeconds(1));
        Assert.Null(measurement.Section.DegreeReached);
        measurement.EventBegun(3);
        measurement.EventBegun(2);

        Assert.Equal(3, measurement.Section.DegreeReached);
    }

    [Fact]
    public void The_elapsed_time_stops_at_the_end_of_the_last_batch()
    {
        RunBatch(1, TimeSpan.FromSeconds(3));
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(4), measurement.Elapsed);

        measurement.Finish();
        clock.Advance(TimeSpan.FromHours(1));

        Assert.Equal(TimeSpan.FromSeconds(3), measurement.Elapsed);
    }

    [Fact]
    public void Nothing_has_elapsed_before_the_first_batch()
    {
        clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal(TimeSpan.Zero, measurement.Elapsed);

        measurement.Finish();

        Assert.Equal(TimeSpan.Zero, measurement.Elapsed);
    }

    [Fact]
    public void A_run_without_events_has_no_figures()
    {
        var figures = measurement.Finish();

        Assert.Null(figures.EventsPerSecond);
        Assert.Null(figures.MeanBatch);
        Assert.Null(figures.Claim);
        Assert.Null(figures.ConsumerCpuMicrosecondsPerEvent);
    }

    public void Dispose() => measurement.Dispose();

    private void Complete(int events, TimeSpan apart)
    {
        for (var i = 0; i < events; i++)
        {
            clock.Advance(apart);
            measurement.EventCompleted(TimeSpan.Zero);
        }
    }

    private void RunBatch(int events, TimeSpan time)
    {
        measurement.BatchReceived(events);
        clock.Advance(time);
        for (var i = 0; i < events; i++)
        {
            measurement.Record(TwoSinks.ServiceBus, time / events);
            measurement.EventCompleted(TimeSpan.Zero);
        }
    }
}
