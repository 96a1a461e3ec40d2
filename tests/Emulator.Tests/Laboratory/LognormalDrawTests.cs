using EventHubThroughput.Emulator.Laboratory;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Laboratory;

public sealed class LognormalDrawTests
{
    [Theory]
    [InlineData(14.88, 0.65)]
    [InlineData(8.68, 1.56)]
    [InlineData(18.52, 17.6)]
    public void Has_the_mean_and_deviation_that_were_asked_for(double mean, double deviation)
    {
        var draw = new LognormalDraw(mean, deviation);
        var random = new Random(42);
        var values = Enumerable.Range(0, 200_000).Select(_ => draw.Next(random)).ToArray();
        var observed = values.Average();
        var spread = Math.Sqrt(values.Sum(value => (value - observed) * (value - observed)) / (values.Length - 1));
        Assert.InRange(observed, mean * 0.99, mean * 1.01);
        Assert.InRange(spread, deviation * 0.97, deviation * 1.03);
        Assert.All(values, static value => Assert.True(value > 0));
    }

    [Fact]
    public void Is_constant_without_deviation() => Assert.Equal(8, new LognormalDraw(8, 0).Next(new Random(1)));
}
