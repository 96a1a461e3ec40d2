using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection;

public sealed class LatencyInjectionTests
{
    private static readonly LatencyProfile Fifo = new("fifo")
    {
        MessageSend = new() { SerialMilliseconds = 3, MeanMilliseconds = 10 },
        EventReceive = new() { MeanMilliseconds = 8 },
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public void Concurrent_sends_of_one_link_wait_for_each_other_in_the_serial_part_only()
    {
        var elapsed = VirtualTimeRunner.Run(clock => SendAsync(clock, links: 1, sends: 5));
        Assert.Equal(TimeSpan.FromMilliseconds((5 * 3) + 10), elapsed);
    }

    [Fact]
    public void Links_do_not_wait_for_each_other()
    {
        var elapsed = VirtualTimeRunner.Run(clock => SendAsync(clock, links: 5, sends: 1));
        Assert.Equal(TimeSpan.FromMilliseconds(13), elapsed);
    }

    [Fact]
    public void An_idle_link_owes_nothing_to_its_past()
    {
        var elapsed = VirtualTimeRunner.Run(async clock =>
        {
            var latency = new LatencyInjection(Fifo, 1, new VirtualDeadlines(clock)).CreateLatency();
            await latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation);
            await clock.DelayAsync(TimeSpan.FromSeconds(1), Cancellation);
            await latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation);
        });
        Assert.Equal(TimeSpan.FromMilliseconds(13 + 1000 + 13), elapsed);
    }

    [Fact]
    public void Operations_that_a_profile_does_not_name_complete_immediately()
    {
        var clock = new VirtualClock();
        var latency = new LatencyInjection(Fifo, 1, new VirtualDeadlines(clock)).CreateLatency();
        Assert.True(latency.ApplyAsync(EmulatedOperation.BlobWrite, Cancellation).AsTask().IsCompletedSuccessfully);
    }

    [Fact]
    public void The_profile_none_makes_no_latency_at_all()
    {
        var latency = new LatencyInjection(LatencyProfiles.None, 1, new VirtualDeadlines(new VirtualClock())).CreateLatency();
        Assert.All(LatencyProfile.Operations, operation => Assert.True(latency.ApplyAsync(operation, Cancellation).AsTask().IsCompletedSuccessfully));
    }

    [Fact]
    public void Another_profile_holds_for_what_begins_after_it() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(Fifo, 1, new VirtualDeadlines(clock));
            var latency = faultInjection.CreateLatency();
            var begun = latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation).AsTask();
            faultInjection.Use(LatencyProfiles.ArticleConstant);
            await latency.ApplyAsync(EmulatedOperation.BlobWrite, Cancellation);
            Assert.Equal(9.35, clock.Elapsed.TotalMilliseconds, 0.001);
            await begun;
            Assert.Equal(13, clock.Elapsed.TotalMilliseconds, 0.001);

            // What the old profile asked for is not counted against the new one.
            Assert.Equal(EmulatedOperation.BlobWrite, Assert.Single(faultInjection.Observed).Operation);
        });

    [Fact]
    public void Percentiles_are_those_of_the_sorted_samples() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.LongTail, 3, new VirtualDeadlines(clock));
            var latency = faultInjection.CreateLatency();
            List<double> samples = [];
            for (var i = 0; i < 5_000; i++)
            {
                var before = clock.Elapsed;
                await latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation);
                samples.Add((clock.Elapsed - before).TotalMilliseconds);
            }

            samples.Sort();
            var row = Assert.Single(faultInjection.Observed);
            Assert.InRange(row.MedianMilliseconds, samples[2_499] * 0.984, samples[2_499] * 1.016);
            Assert.InRange(row.P99Milliseconds, samples[4_949] * 0.984, samples[4_949] * 1.016);
        });

    [Fact]
    public void The_service_time_is_observed_without_the_time_in_the_queue()
    {
        IReadOnlyList<ObservedLatency> observed = [];
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(Fifo, 1, new VirtualDeadlines(clock));
            var latency = faultInjection.CreateLatency();
            await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation).AsTask()));
            observed = faultInjection.Observed;
        });
        var row = Assert.Single(observed);
        Assert.Equal(4, row.Count);
        Assert.Equal(13, row.MeanMilliseconds, 0.001);
        Assert.Equal(row.AskedMeanMilliseconds, row.MeanMilliseconds, 0.001);
    }

    [Fact]
    public void The_same_seed_draws_the_same_latencies()
    {
        Assert.Equal(ArticleSend(7), ArticleSend(7));
        Assert.NotEqual(ArticleSend(7), ArticleSend(8));
    }

    private static TimeSpan ArticleSend(int seed) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var latency = new LatencyInjection(LatencyProfiles.Article, seed, new VirtualDeadlines(clock)).CreateLatency();
            await latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation);
        });

    private static Task<Admission[]> SendAsync(VirtualClock clock, int links, int sends)
    {
        var faultInjection = new LatencyInjection(Fifo, 1, new VirtualDeadlines(clock));
        var latencies = Enumerable.Range(0, links).Select(_ => faultInjection.CreateLatency()).ToArray();
        return Task.WhenAll(
            latencies.SelectMany(latency => Enumerable.Range(0, sends).Select(_ => latency.ApplyAsync(EmulatedOperation.MessageSend, Cancellation).AsTask()))
        );
    }
}
