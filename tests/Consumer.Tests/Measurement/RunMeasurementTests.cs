using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Measurement;

public sealed class RunMeasurementTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly RunMeasurement measurement;

    public RunMeasurementTests() => measurement = new RunMeasurement(clock, emulator: null);

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
        Assert.Equal(200, figures.Section[Stage.ServiceBus].Count);
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
    public void Stands_still_at_the_end_of_the_last_batch()
    {
        RunBatch(1, TimeSpan.FromSeconds(3));
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(4), measurement.Elapsed);

        measurement.Finish();
        clock.Advance(TimeSpan.FromHours(1));

        Assert.Equal(TimeSpan.FromSeconds(3), measurement.Elapsed);
    }

    [Fact]
    public void Says_nothing_of_a_run_without_events()
    {
        var figures = measurement.Finish();

        Assert.Null(figures.EventsPerSecond);
        Assert.Null(figures.MeanBatch);
        Assert.Null(figures.Claim);
        Assert.Null(figures.ConsumerCpuMicrosecondsPerEvent);
    }

    public void Dispose() => measurement.Dispose();

    private void RunBatch(int events, TimeSpan time)
    {
        measurement.BatchStarted();
        clock.Advance(time);
        for (var i = 0; i < events; i++)
        {
            measurement.Record(Stage.ServiceBus, time / events);
            measurement.EventCompleted();
        }

        measurement.BatchEnded(events);
    }
}
