using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection;

public sealed class LatencyProfilesTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static TheoryData<string> Names => [.. LatencyProfiles.Names];

    [Fact]
    public void Has_every_profile_of_the_method() =>
        Assert.Equal(
            [
                "none",
                "article",
                "article-constant",
                "article-spread",
                "long-tail",
                "stragglers",
                "azure-standard",
                "azure-premium",
                "step",
                "knee-8",
                "knee-40",
                "knee-150",
                "processor",
                "ops-200",
            ],
            LatencyProfiles.Names
        );

    [Theory]
    [MemberData(nameof(Names))]
    public void Does_what_it_asks_for(string name)
    {
        // One at a time, in quiet times: no queue, no step, and every draw the same at each run of the test.
        var profile = LatencyProfiles.Named(name) with
        {
            Steps = [],
        };
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(profile, 7, new VirtualDeadlines(clock));
            var latency = faultInjection.CreateLatency();
            foreach (var operation in LatencyProfile.Operations)
            {
                for (var i = 0; i < 4_000 && !profile.Of(operation).IsZero; i++)
                {
                    Assert.Null((await latency.ApplyAsync(operation, Cancellation)).BusyFor);
                }
            }

            foreach (var row in faultInjection.Observed.Where(static row => row.Operation != EmulatedOperation.EventDeliver))
            {
                var allowed = Math.Max(0.2, 4 * row.AskedDeviationMilliseconds / Math.Sqrt(row.Count));
                Assert.InRange(row.MeanMilliseconds, row.AskedMeanMilliseconds - allowed, row.AskedMeanMilliseconds + allowed);
                Assert.InRange(row.DeviationMilliseconds, (row.AskedDeviationMilliseconds * 0.9) - 0.001, (row.AskedDeviationMilliseconds * 1.1) + 0.001);
                Assert.Equal(4_000, row.Count);
            }
        });
    }

    [Fact]
    public void The_article_is_served_in_turn()
    {
        // The closed form of the method: s = 3.32, f = 14.88, b = 9.33, C = 24.7, L = 8.
        var article = LatencyProfiles.Article;
        Assert.Equal(18.20, article.MessageSend.TotalMeanMilliseconds, 1e-9);
        Assert.Equal(9.33, article.BlobWrite.TotalMeanMilliseconds, 1e-9);
        Assert.Equal(24.7, article.CheckpointWrite.TotalMeanMilliseconds, 1e-9);
        Assert.Equal(8, article.EventReceive.TotalMeanMilliseconds, 1e-9);
    }

    [Fact]
    public void The_first_draws_of_the_article_are_those_of_the_published_runs()
    {
        // Taken from the version that made docs/results: seed 1, one link, one after another.
        List<TimeSpan> ends = [];
        VirtualTimeRunner.Run(async clock =>
        {
            var latency = new LatencyInjection(LatencyProfiles.Article, 1, new VirtualDeadlines(clock)).CreateLatency();
            foreach (
                var operation in (EmulatedOperation[])
                    [EmulatedOperation.MessageSend, EmulatedOperation.BlobWrite, EmulatedOperation.CheckpointWrite, EmulatedOperation.EventReceive]
            )
            {
                await latency.ApplyAsync(operation, Cancellation);
                ends.Add(clock.Elapsed);
            }
        });
        Assert.Equal(PublishedEnds, ends.Select(static end => end.TotalMilliseconds), (expected, actual) => Math.Abs(expected - actual) < 0.001);
    }

    [Fact]
    public void Every_thousandth_straggler_takes_two_seconds_more() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var profile = LatencyProfiles.Stragglers with { MessageSend = LatencyProfiles.Stragglers.MessageSend with { DeviationMilliseconds = 0 } };
            var latency = new LatencyInjection(profile, 1, new VirtualDeadlines(clock)).CreateLatency();
            for (var i = 1; i <= 2_000; i++)
            {
                var before = clock.Elapsed;
                await latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation);
                Assert.Equal(i % 1_000 == 0 ? 2_018.52 : 18.52, (clock.Elapsed - before).TotalMilliseconds, 0.001);
            }
        });

    [Fact]
    public void The_step_doubles_all_times_for_a_minute_from_when_it_is_set() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var step = LatencyProfiles.Step with
            {
                BlobWrite = new() { SerialMilliseconds = 4, MeanMilliseconds = 6 },
            };
            await clock.DelayAsync(TimeSpan.FromSeconds(1_000), Cancellation);
            var faultInjection = new LatencyInjection(LatencyProfiles.None, 1, new VirtualDeadlines(clock));
            var latency = faultInjection.CreateLatency();
            faultInjection.Use(step);
            foreach (var (wait, expected) in ((double, double)[])[(0, 10), (59.98, 10), (0.01, 20), (59.96, 20), (0.02, 10), (500, 10)])
            {
                await clock.DelayAsync(TimeSpan.FromSeconds(wait), Cancellation);
                var before = clock.Elapsed;
                await latency.ApplyAsync(EmulatedOperation.BlobWrite, Cancellation);
                Assert.Equal(expected, (clock.Elapsed - before).TotalMilliseconds, 0.001);
            }
        });

    private static double[] PublishedEnds => [18.3206, 29.8527, 52.5008, 60.5008];
}
