using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class ConclusionRuleTests
{
    [Theory]
    [InlineData(1.031, 1.2, nameof(ConclusionWord.Faster))]
    [InlineData(1.03, 1.2, nameof(ConclusionWord.NotDecided))]
    [InlineData(0.5, 0.97, nameof(ConclusionWord.Slower))]
    [InlineData(0.5, 0.971, nameof(ConclusionWord.NotDecided))]
    [InlineData(0.97, 1.03, nameof(ConclusionWord.NoDifference))]
    [InlineData(0.99, 1.01, nameof(ConclusionWord.NoDifference))]
    [InlineData(0.969, 1.01, nameof(ConclusionWord.NotDecided))]
    [InlineData(0.99, 1.031, nameof(ConclusionWord.NotDecided))]
    [InlineData(null, null, nameof(ConclusionWord.Indication))]
    public void The_word_follows_from_the_interval(double? low, double? high, string word) =>
        Assert.Equal(word, ConclusionRule.WordFor(Interval(low, high), isNoisy: false).ToString());

    [Theory]
    [InlineData(1.031, 1.2, nameof(ConclusionWord.Faster))]
    [InlineData(0.5, 0.97, nameof(ConclusionWord.Slower))]
    [InlineData(0.97, 1.03, nameof(ConclusionWord.Noisy))]
    [InlineData(0.9, 1.1, nameof(ConclusionWord.Noisy))]
    [InlineData(null, null, nameof(ConclusionWord.Indication))]
    public void Noise_hides_what_does_not_show_through_it(double? low, double? high, string word) =>
        Assert.Equal(word, ConclusionRule.WordFor(Interval(low, high), isNoisy: true).ToString());

    private static MedianInterval Interval(double? low, double? high) => new(((low + high) / 2) ?? 1, low, high, low is null ? 4 : 10);
}
