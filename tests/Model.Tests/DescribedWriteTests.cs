using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Model.Tests;

/// <summary>The rate of a handler whose writes are described.</summary>
public sealed class DescribedWriteTests
{
    private static readonly LatencyProfile OnlyCheckpoints = Some.Constant(send: 500, blob: 500, checkpoint: 10);

    [Theory]
    // In turn an event takes the sum of its writes, concurrently the longest. A checkpoint ends each batch of ten.
    [InlineData("baseline", 1, 10_000.0 / (10 * 53 + 10))]
    [InlineData("inloop", 1, 10_000.0 / (10 * 40 + 10))]
    [InlineData("combined", 10, 10_000.0 / (40 + 10))]
    [InlineData("pipelined", 16, 16_000.0 / 40)]
    [InlineData("keyed", 16, 16_000.0 / 40)]
    [InlineData("batched", 16, 16_000.0 / 40)]
    public void Writes_take_the_place_of_message_and_blob(string strategy, int degree, double expected) =>
        Assert.Equal(expected, GetRate(strategy, degree, "http=40ms", "sql=8ms", "cache=5ms"), 0.02 * expected);

    [Fact]
    public void Concurrency_of_a_write_limits_the_rate() => Assert.Equal(250, GetRate("pipelined", 64, "http=4ms", "sql=8ms:concurrency=2"), 3.0);

    [Fact]
    public void A_quota_of_a_write_limits_the_rate() => Assert.Equal(100, GetRate("pipelined", 64, "http=4ms:quota=100/s"), 1.0);

    [Fact]
    public void A_spread_of_a_write_lowers_the_rate_of_a_barrier() =>
        Assert.InRange(GetRate("combined", 10, "http=40ms/20ms") / GetRate("combined", 10, "http=40ms"), 0.3, 0.8);

    private static double GetRate(string strategy, int degree, params string[] writes) =>
        Predictor.GetPrediction(GetSettings(strategy, degree, writes))!.EventsPerSecond;

    private static ModelSettings GetSettings(string strategy, int degree, params string[] writes) =>
        new()
        {
            Strategy = strategy,
            Profile = OnlyCheckpoints,
            Writes = DescribedWriteReader.Read("--write", writes),
            Degree = degree,
            Events = 10_000,
        };
}
