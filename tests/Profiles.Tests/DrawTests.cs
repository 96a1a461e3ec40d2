using Xunit;

namespace EventHubThroughput.Profiles.Tests;

public sealed class DrawTests
{
    private const int Draws = 200_000;

    [Theory]
    [InlineData("Lognormal", 14.88, 0.65)]
    [InlineData("Lognormal", 8.68, 1.56)]
    [InlineData("Lognormal", 18.52, 17.6)]
    [InlineData("Gamma", 18.52, 9.26)]
    [InlineData("Gamma", 33, 16.5)]
    [InlineData("Gamma", 10, 20)]
    [InlineData("Gamma", 10, 0.1)]
    public void Has_the_mean_and_deviation_that_were_asked_for(string shape, double mean, double deviation)
    {
        var values = Values(
            new LatencyLaw
            {
                Shape = Enum.Parse<DrawShape>(shape),
                MeanMilliseconds = mean,
                DeviationMilliseconds = deviation,
            }
        );
        var observed = values.Average();
        var spread = Math.Sqrt(values.Sum(value => (value - observed) * (value - observed)) / (values.Length - 1));

        // Three standard errors of the mean, and of the deviation for the heaviest tail here.
        Assert.InRange(observed, mean - (3 * deviation / Math.Sqrt(Draws)), mean + (3 * deviation / Math.Sqrt(Draws)));
        Assert.InRange(spread, deviation * 0.97, deviation * 1.03);
        Assert.All(values, static value => Assert.True(value > 0));
    }

    [Theory]
    // Quantiles of the two laws at mean 10 and coefficient of variation 0.5: the gamma's shape is 4, the lognormal's sigma 0.4724.
    [InlineData("Gamma", 0.50, 9.180)]
    [InlineData("Gamma", 0.99, 25.113)]
    [InlineData("Lognormal", 0.50, 8.944)]
    [InlineData("Lognormal", 0.99, 26.843)]
    public void Has_the_shape_that_was_asked_for(string shape, double share, double expected)
    {
        var values = Values(LatencyLaw.Spread(Enum.Parse<DrawShape>(shape), 10, 0.5));
        Array.Sort(values);
        Assert.InRange(values[(int)(share * Draws)], expected * 0.985, expected * 1.015);
    }

    [Fact]
    public void Is_constant_without_deviation() => Assert.Equal(8, new LatencyLaw { MeanMilliseconds = 8 }.Draw(new Random(1)));

    private static double[] Values(LatencyLaw law)
    {
        var random = new Random(42);
        return [.. Enumerable.Range(0, Draws).Select(_ => law.Draw(random))];
    }
}
