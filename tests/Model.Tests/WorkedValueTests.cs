using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Model.Tests;

/// <summary>The values of docs/method.md's first simulation, which was another program: S 18.52, b 9.35, C 24.7 ms, gamma with CV 0.5.</summary>
public sealed class WorkedValueTests
{
    [Theory]
    [InlineData("baseline", 16, 10, 33.0)]
    [InlineData("baseline", 16, 100, 35.6)]
    [InlineData("baseline", 16, 300, 35.8)]
    [InlineData("inloop", 16, 10, 46.0)]
    [InlineData("inloop", 16, 100, 51.2)]
    [InlineData("inloop", 16, 300, 51.6)]
    [InlineData("combined", 8, 10, 157)]
    [InlineData("combined", 8, 100, 357)]
    [InlineData("combined", 8, 300, 393)]
    [InlineData("combined", 16, 10, 167)]
    [InlineData("combined", 16, 100, 608)]
    [InlineData("combined", 16, 300, 739)]
    [InlineData("combined", 32, 10, 167)]
    [InlineData("combined", 32, 100, 920)]
    [InlineData("combined", 32, 300, 1308)]
    [InlineData("combined", 64, 100, 1197)]
    [InlineData("combined", 64, 300, 2087)]
    [InlineData("combined", 128, 100, 1327)]
    [InlineData("combined", 128, 300, 2913)]
    [InlineData("pipelined", 8, 10, 414)]
    [InlineData("pipelined", 16, 10, 828)]
    [InlineData("pipelined", 32, 10, 1656)]
    [InlineData("pipelined", 64, 10, 3308)]
    [InlineData("pipelined", 128, 10, 6600)]
    public void Gamma_latencies_give_the_rates_of_the_table(string strategy, int degree, int batch, double expected) =>
        Near(expected, Of(strategy, degree) with { Batch = batch, Window = strategy == "pipelined" ? 8192 : null });

    [Theory]
    [InlineData(1, 52)]
    [InlineData(4, 206)]
    [InlineData(16, 778)]
    [InlineData(64, 2784)]
    [InlineData(256, 3300)]
    [InlineData(1000, 3299)]
    public void Even_keys_give_the_rates_of_the_table(int keys, double expected) =>
        Near(expected, Of("keyed", 64) with { Keys = keys, Window = 1024, Events = 100_000 });

    [Theory]
    [InlineData(0.8, 790)]
    [InlineData(1.0, 391)]
    [InlineData(1.2, 224)]
    public void Skewed_keys_give_the_rates_of_the_table(double skew, double expected) =>
        Near(expected, Of("keyed", 64) with { Keys = 1000, KeySkew = skew, Window = 1024 });

    [Theory]
    [InlineData("pipelined", 64, 390)]
    [InlineData("pipelined", 128, 433)]
    [InlineData("pipelined", 512, 464)]
    [InlineData("pipelined", 2048, 1294)]
    [InlineData("pipelined", 8192, 2905)]
    [InlineData("combined", null, 358)]
    public void Stragglers_give_the_rates_of_the_table(string strategy, int? window, double expected) =>
        Near(
            expected,
            Of(strategy, 64) with
            {
                Profile = LatencyProfiles.Stragglers,
                Window = window,
                Batch = strategy == "combined" ? 100 : 10,
                Events = 200_000,
            },
            // There a full window was worked off to its half. Here seven eighths of it keep the others busy.
            share: 0.04
        );

    private static ModelSettings Of(string strategy, int degree) =>
        new()
        {
            Strategy = strategy,
            Profile = LatencyProfiles.ArticleSpread,
            Degree = degree,
        };

    private static void Near(double expected, ModelSettings settings, double share = 0.03)
    {
        var rate = Some.Rate(settings);
        Assert.True(Math.Abs((rate / expected) - 1) <= share, $"{settings.Strategy}: {rate:0.0} instead of {expected:0.0} ({100 * rate / expected:0.0} %)");
    }
}
