using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Model.Tests;

public sealed class ArticleFormTests
{
    [Theory]
    [InlineData("baseline", 32.5)]
    [InlineData("inloop", 46.6)]
    [InlineData("outloop", 110.9)]
    [InlineData("combined", 123.8)]
    [InlineData("foreachasync", 123.8)]
    [InlineData("pipelined", 301.2)]
    [InlineData("batched", 1250.0)]
    public void Gives_the_four_rates_of_the_article_profile(string strategy, double eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, Of(strategy, 10, 16, prefetch: 0)!.EventsPerSecond, 0.1);

    [Theory]
    [InlineData(1, 300, null, 1000 / 18.20)]
    [InlineData(5, 300, null, 5000 / 18.20)]
    [InlineData(6, 300, null, 1000 / 3.32)]
    [InlineData(64, 0, null, 1000 / 8.0)]
    [InlineData(4, 300, 8, 4000 / 18.20)]
    public void Without_a_barrier_the_least_of_degree_sender_and_reading_is_the_rate(int degree, int prefetch, int? window, double eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, Of("pipelined", 1, degree, prefetch, window)!.EventsPerSecond, 0.001);

    [Theory]
    [InlineData(64, 4)]
    [InlineData(16, 31)]
    public void A_window_that_holds_the_degree_back_has_no_form_and_is_never_exceeded(int degree, int window)
    {
        var settings = Settings("pipelined", 1, degree, prefetch: 300, window);
        Assert.Null(Of("pipelined", 1, degree, prefetch: 300, window));
        Assert.InRange(
            Predictor.GetPrediction(settings)!.EventsPerSecond,
            0.75 * Math.Min(1000 / 3.32, window / 0.01820),
            Math.Min(1001 / 3.32, window / 0.01820)
        );
    }

    [Theory]
    [InlineData(1, 10, 300, 1000 / 9.33)]
    [InlineData(8, 10, 300, 8000 / 9.33)]
    [InlineData(64, 10, 300, 1000 / 0.65)]
    [InlineData(64, 1, 0, 1000 / 8.0)]
    public void Collected_messages_leave_the_least_of_uploads_and_reading(int degree, int batch, int prefetch, double eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, Of("batched", batch, degree, prefetch)!.EventsPerSecond, 0.001);

    [Theory]
    [InlineData(128, 1250.0)]
    [InlineData(46, 1250.0)]
    [InlineData(45, null)]
    public void Collected_messages_have_no_form_where_the_window_is_what_is_waited_for(int window, double? eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, Of("batched", 10, 16, prefetch: 0, window)?.EventsPerSecond);

    [Fact]
    public void Leaves_the_receive_latency_out_when_events_are_prefetched() =>
        Assert.Equal(1000 / (18.20 + 9.33 + 2.47), Of("baseline", 10, 16, prefetch: 300)!.EventsPerSecond, 0.001);

    [Fact]
    public void Counts_full_rounds_of_the_degree_and_the_rest() =>
        Assert.Equal(100 * 1000 / ((6 * 16 * 3.32) + (4 * 3.32) + 14.88 + 32.7), Of("combined", 100, 16, prefetch: 0)!.EventsPerSecond, 0.001);

    [Theory]
    [InlineData("adaptive")]
    [InlineData("keyed")]
    [InlineData("keyed-shards")]
    public void Other_strategies_have_no_form(string strategy) => Assert.Null(Of(strategy, 10, 16, prefetch: 0));

    private static Prediction? Of(string strategy, int batch, int degree, int prefetch, int? window = null) =>
        ClosedForms.Of(Settings(strategy, batch, degree, prefetch, window), StrategyRule.Find(strategy)!);

    private static ModelSettings Settings(string strategy, int batch, int degree, int prefetch, int? window) =>
        new()
        {
            Strategy = strategy,
            Profile = LatencyProfiles.Article,
            Batch = batch,
            Degree = degree,
            Prefetch = prefetch,
            Window = window,
        };
}
