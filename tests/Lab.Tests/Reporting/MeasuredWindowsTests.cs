using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class MeasuredWindowsTests
{
    [Fact]
    public void A_steady_rate_is_settled_and_scatters_little()
    {
        var result = GetResult([100, 101, 99, 100, 101, 99], batchTimes: [1, 1]);

        Assert.Equal((true, MeasurementStatus.Ok), (result.Time.Settled, result.Bounds.Status));
        Assert.Equal(0.0089, result.Throughput.WindowCv!.Value, 0.0001);
    }

    [Fact]
    public void A_rate_that_rises_is_not_settled_where_the_clock_measured() =>
        Assert.Equal((false, MeasurementStatus.NotSettled), GetStatus(GetResult([100, 110, 120, 130, 140, 150], batchTimes: [1, 1])));

    [Fact]
    public void A_rate_that_rises_is_only_noted_where_the_backlog_ended_the_run() =>
        Assert.Equal((false, MeasurementStatus.Ok), GetStatus(GetResult([100, 110, 120, 130, 140, 150], batchTimes: [1, 1], byTheClock: false)));

    [Fact]
    public void Fewer_than_six_windows_say_nothing() =>
        Assert.Equal((null, MeasurementStatus.Ok), GetStatus(GetResult([100, 150, 200, 250, 300], batchTimes: [1, 1])));

    [Fact]
    public void Scatter_is_settled_as_far_as_the_batches_of_a_barrier_explain_it()
    {
        int[] scattering = [110, 90, 110, 90, 110, 90];

        Assert.Equal((false, MeasurementStatus.NotSettled), GetStatus(GetResult(scattering, batchTimes: [1, 1, 1, 1, 1, 1])));
        Assert.Equal((true, MeasurementStatus.Ok), GetStatus(GetResult(scattering, batchTimes: [0.9, 1.1, 0.9, 1.1, 0.9, 1.1])));
    }

    [Fact]
    public void Without_a_barrier_batch_times_explain_nothing() =>
        Assert.Equal(
            (false, MeasurementStatus.NotSettled),
            GetStatus(GetResult([110, 90, 110, 90, 110, 90], batchTimes: [0.9, 1.1, 0.9, 1.1, 0.9, 1.1], strategy: "pipelined"))
        );

    [Fact]
    public void Bodies_are_reported_in_megabytes_a_second() => Assert.Equal(0.1024, GetResult([100], batchTimes: []).Throughput.MbPerS!.Value, 0.000001);

    [Fact]
    public void The_last_minute_is_held_against_the_first_one_from_two_minutes_on()
    {
        Assert.Null(GetResult([.. Enumerable.Repeat(100, 119)], batchTimes: []).Throughput.FirstToLastMinuteDrift);

        int[] slowing = [.. Enumerable.Repeat(100, 60), .. Enumerable.Repeat(40, 30), .. Enumerable.Repeat(90, 60)];
        Assert.Equal(-0.1, GetResult(slowing, batchTimes: []).Throughput.FirstToLastMinuteDrift!.Value, 9);
    }

    private static (bool? Settled, MeasurementStatus Status) GetStatus(RunResult result) => (result.Time.Settled, result.Bounds.Status);

    // This number of events in each second.
    private static RunResult GetResult(int[] seconds, double[] batchTimes, bool byTheClock = true, string strategy = "outloop")
    {
        var section = new MeasuredSection(startedAt: 0, TwoSinks.Stages, TimeSpan.TicksPerSecond);
        foreach (var (events, second) in seconds.Select(static (events, second) => (events, second)))
        {
            for (var i = 0; i < events; i++)
            {
                section.EventCompleted((second * TimeSpan.TicksPerSecond) + (i * TimeSpan.TicksPerSecond / events), TimeSpan.FromMilliseconds(second));
                section[Stage.Event].Record(TimeSpan.FromMilliseconds(10));
            }
        }

        foreach (var elapsed in batchTimes)
        {
            section.BatchEnded(TimeSpan.FromSeconds(elapsed));
        }

        var report = Reports.Of(strategy);
        return ResultDocument.Of(
            report with
            {
                Options = report.Options with
                {
                    Measuring = byTheClock ? new MeasuringTimes(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(seconds.Length)) : null,
                },
                Figures = report.Figures with { Section = section, Measured = TimeSpan.FromSeconds(seconds.Length) },
            },
            "1.2.3"
        );
    }
}
