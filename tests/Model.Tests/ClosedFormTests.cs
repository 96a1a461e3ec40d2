using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Model.Tests;

/// <summary>The simulation and the closed forms know nothing of each other, and say the same where both hold.</summary>
public sealed class ClosedFormTests
{
    private static readonly string[] WithForm =
    [
        "baseline",
        "inloop",
        "outloop",
        "combined",
        "foreachasync",
        "pipelined",
        "batched",
        "whenall",
        "published",
        "functions",
        "outloop-dasync",
        "combined-dasync",
    ];

    public static TheoryData<string, double> Grid => new MatrixTheoryData<string, double>(WithForm, [0, 1, 5.97]);

    [Theory]
    [MemberData(nameof(Grid))]
    public void The_simulation_of_constant_latencies_is_the_closed_form(string strategy, double serial)
    {
        foreach (var batch in (int[])[1, 7, 10, 100, 300])
        {
            foreach (var degree in (int[])[1, 4, 7, 16, 64, 128])
            {
                foreach (var receive in (double[])[0, 8])
                {
                    var settings = new ModelSettings
                    {
                        Strategy = strategy,
                        Profile = Some.Constant(receive: receive, serial: serial),
                        Batch = batch,
                        Degree = degree,
                        Prefetch = receive > 0 ? 0 : 300,
                        Processors = 5,
                        // Waves of the degree, of which the first are spread by the reading, are counted whole the better the more there are.
                        Events = StrategyRule.Find(strategy)!.IsBarrier ? 4_000 : 20_000,
                    };
                    if (ClosedForms.Of(settings, StrategyRule.Find(strategy)!) is { } form)
                    {
                        var simulated = Some.Rate(settings);
                        Assert.True(
                            Math.Abs((simulated / form.EventsPerSecond) - 1) < 0.005,
                            $"{strategy} B={batch} d={degree} s={serial} L={receive}: {form.Form} = {form.EventsPerSecond:0.00}, simulated {simulated:0.00}"
                        );
                    }
                }
            }
        }
    }

    [Theory]
    [InlineData("baseline", 32.5)]
    [InlineData("inloop", 46.6)]
    [InlineData("outloop", 111.0)]
    [InlineData("combined", 123.8)]
    [InlineData("foreachasync", 123.8)]
    [InlineData("pipelined", 301.2)]
    [InlineData("batched", 1250.0)]
    public void The_article_has_the_forms_of_constant_latencies_which_its_simulation_nearly_reaches(string strategy, double expected)
    {
        var settings = new ModelSettings
        {
            Strategy = strategy,
            Profile = LatencyProfiles.Article,
            Prefetch = 0,
        };
        Assert.Equal(expected, Predictor.GetPrediction(settings)!.EventsPerSecond, 0.1);
        Assert.InRange(Some.Rate(settings) / expected, 0.98, 1.01);
    }

    [Theory]
    [InlineData("baseline", "B / (T + C + L), T = B (S + b)")]
    [InlineData("outloop", "B / (T + C + L), T = k max(S + b, d s) + (r + 1) s + f + b")]
    [InlineData("functions", "B / (T + C / F + L), T = B (S + b)")]
    [InlineData("pipelined", "min(min(d, W) / max(S, b), 1 / s, B / L)")]
    [InlineData("batched", "min(d / b, 1 / s_b, B / L)")]
    [InlineData("keyed", "simulated")]
    [InlineData("adaptive", "simulated as pipelined with d = 6, the best degree that it can find")]
    public void A_prediction_names_its_source(string strategy, string form) =>
        Assert.Equal(
            form,
            Predictor
                .GetPrediction(
                    new ModelSettings
                    {
                        Strategy = strategy,
                        Profile = LatencyProfiles.Article,
                        Prefetch = 0,
                        Options = new Dictionary<string, int>(StringComparer.Ordinal) { [StrategyRule.CheckpointBatches] = 4 },
                    }
                )!
                .Form
        );

    [Fact]
    public void Partitions_that_share_nothing_have_a_multiple_of_one()
    {
        var one = new ModelSettings { Strategy = "combined", Profile = LatencyProfiles.ArticleConstant };
        var eight = one with { Partitions = 8 };
        Assert.Equal(8 * Predictor.GetPrediction(one)!.EventsPerSecond, Predictor.GetPrediction(eight)!.EventsPerSecond, 1e-6);
        Assert.Equal(8 * Some.Rate(one), Some.Rate(eight), 1e-3 * Some.Rate(eight));
    }

    [Theory]
    [InlineData("article-spread")]
    [InlineData("stragglers")]
    [InlineData("knee-8")]
    [InlineData("azure-standard")]
    [InlineData("ops-200")]
    [InlineData("step")]
    public void A_profile_with_variable_or_limited_latencies_has_no_form(string profile) =>
        Assert.Null(ClosedForms.Of(new ModelSettings { Strategy = "baseline", Profile = LatencyProfiles.Named(profile) }, StrategyRule.Find("baseline")!));
}
