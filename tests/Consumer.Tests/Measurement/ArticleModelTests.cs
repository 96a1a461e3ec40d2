using EventHubThroughput.Consumer.Measurement;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Measurement;

public sealed class ArticleModelTests
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
        Assert.Equal(eventsPerSecond, ArticleModel.Predict(strategy, 10, 16, prefetch: 0)!.EventsPerSecond, 0.1);

    [Theory]
    [InlineData(1, 300, int.MaxValue, 1000 / 18.20)]
    [InlineData(5, 300, int.MaxValue, 5000 / 18.20)]
    [InlineData(6, 300, int.MaxValue, 1000 / 3.32)]
    [InlineData(64, 300, 4, 4000 / 18.20)]
    [InlineData(64, 0, int.MaxValue, 1000 / 8.0)]
    public void Without_a_barrier_the_least_of_degree_window_sender_and_reading_is_the_rate(int degree, int prefetch, int window, double eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, ArticleModel.Predict("pipelined", 1, degree, prefetch, window)!.EventsPerSecond, 0.001);

    [Theory]
    [InlineData(1, 10, 300, 1000 / 9.33)]
    [InlineData(8, 10, 300, 8000 / 9.33)]
    [InlineData(64, 10, 300, 1000 / 0.65)]
    [InlineData(64, 1, 0, 1000 / 8.0)]
    public void Collected_messages_leave_the_least_of_uploads_and_reading(int degree, int batch, int prefetch, double eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, ArticleModel.Predict("batched", batch, degree, prefetch)!.EventsPerSecond, 0.001);

    [Theory]
    [InlineData(128, 1250.0)]
    [InlineData(46, 1250.0)]
    [InlineData(45, null)]
    public void Collected_messages_have_no_form_where_the_window_is_what_is_waited_for(int window, double? eventsPerSecond) =>
        Assert.Equal(eventsPerSecond, ArticleModel.Predict("batched", 10, 16, prefetch: 0, window)?.EventsPerSecond);

    [Fact]
    public void Leaves_the_receive_latency_out_when_events_are_prefetched() =>
        Assert.Equal(1000 / (18.20 + 9.33 + 2.47), ArticleModel.Predict("baseline", 10, 16, prefetch: 300)!.EventsPerSecond, 0.001);

    [Fact]
    public void Counts_full_rounds_of_the_degree_and_the_rest() =>
        Assert.Equal(
            100 * 1000 / ((6 * 16 * 3.32) + (4 * 3.32) + 14.88 + 32.7),
            ArticleModel.Predict("combined", 100, 16, prefetch: 0)!.EventsPerSecond,
            0.001
        );

    [Fact]
    public void Knows_no_form_for_other_strategies() => Assert.Null(ArticleModel.Predict("adaptive", 10, 16, 0));
}
