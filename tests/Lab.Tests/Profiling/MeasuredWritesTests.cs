using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Profiling;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using MathNet.Numerics.Statistics;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Profiling;

/// <summary>The writes of a handler as a run describes them.</summary>
public sealed class MeasuredWritesTests
{
    [Fact]
    public async Task A_described_write_is_found_again_in_its_measured_times()
    {
        var clock = new VirtualClock();
        using var sink = new DescribedSink(DescribedWriteReader.Read("--write", ["http=40ms/10ms"])[0], clock);
        List<double> times = [];
        for (var write = 0; write < 2_000; write++)
        {
            var begun = clock.Elapsed;
            var written = sink.WriteAsync(null!, TestContext.Current.CancellationToken).AsTask();
            clock.AdvanceToNextTimer();
            await written;
            times.Add((clock.Elapsed - begun).TotalMilliseconds);
        }

        var described = Assert.Single(MeasuredWrites.Of(WithSink("http", times)));

        Assert.Equal("http", described.Name);
        Assert.InRange(described.Law.MeanMilliseconds, 38, 42);
        Assert.InRange(described.Law.DeviationMilliseconds, 8, 12);
        Assert.Equal(0, described.Law.Concurrency);
    }

    [Fact]
    public void A_sink_that_was_measured_too_rarely_is_left_out() =>
        Assert.Empty(MeasuredWrites.Of(WithSink("http", [.. Enumerable.Repeat(40.0, MeasuredLaw.FewestSamples - 1)])));

    private static RunResult WithSink(string sink, List<double> times)
    {
        var run = ResultDocument.Of(Reports.Of("combined"), "1.2.3");
        return run with
        {
            Stages = new Dictionary<string, StageFigures>(run.Stages.Where(static stage => stage.Key is not ("servicebus" or "blob")))
            {
                [sink] = new StageFigures
                {
                    Count = times.Count,
                    MeanMs = times.Mean(),
                    SdMs = times.StandardDeviation(),
                    P50Ms = times.Median(),
                },
            },
        };
    }
}
