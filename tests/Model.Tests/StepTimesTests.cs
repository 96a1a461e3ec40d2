using EventHubThroughput.Model.Simulating;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Model.Tests;

public sealed class StepTimesTests
{
    [Fact]
    public void A_gauge_shows_each_duration_until_the_next_operation_ends()
    {
        var steps = new StepTimes();
        steps.Ended(100, 10);
        steps.Ended(103, 13);
        steps.BatchEnded();
        steps.Ended(113, 20);
        steps.Ended(114, 21);

        var figures = steps.Figures(120)!;

        Assert.Equal((10 + 13 + 20 + 21) / 4.0, figures.Mean, 1e-9);
        Assert.Equal(((3 * 10) + (10 * 13) + (1 * 20) + (6 * 21)) / 20.0, figures.Shown, 1e-9);
        Assert.Equal([15, 17], figures.ByPlace);
    }

    [Fact]
    public void Without_an_operation_there_is_nothing_to_show() => Assert.Null(new StepTimes().Figures(5));

    [Fact]
    public void Gauge_shows_the_mean_of_consecutive_writes()
    {
        var figures = Some.Simulated(Settings("baseline"));

        Assert.Equal(18.20, figures.Message!.Mean, 0.05);
        Assert.Equal(figures.Message.Mean, figures.Message.Shown, 0.05);
        Assert.Equal(9.33, figures.Blob!.Shown, 0.05);
        Assert.Equal(2.47, figures.Checkpoint!.Shown, 0.02);
        // All of a batch's time but the 8 ms for which it is waited for.
        Assert.Equal((1000 / figures.EventsPerSecond) - 0.8, figures.Batch!.Mean, 0.05);
    }

    [Theory]
    [InlineData("outloop")]
    [InlineData("combined")]
    public void Concurrent_writes_wait_for_each_other_and_the_gauge_shows_the_last_ones_of_a_batch(string strategy)
    {
        var message = Some.Simulated(Settings(strategy)).Message!;

        Assert.Equal(10, message.ByPlace.Count);
        Assert.Equal(18.20, message.ByPlace[0], 0.5);
        Assert.Equal(18.20 + (9 * 3.32), message.ByPlace[^1], 0.5);
        Assert.Equal(18.20 + (4.5 * 3.32), message.Mean, 0.2);
        Assert.InRange(message.Shown, message.ByPlace[6], message.ByPlace[^1]);
    }

    private static ModelSettings Settings(string strategy) =>
        new()
        {
            Strategy = strategy,
            Profile = LatencyProfiles.Article,
            Prefetch = 0,
        };
}
