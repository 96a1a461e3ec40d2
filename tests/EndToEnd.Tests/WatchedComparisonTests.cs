using EventHubThroughput.Lab.Results;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A real Prometheus reads two comparisons at the same time, and is asked what the dashboard of strategies asks.</summary>
[Collection<AloneCollection>]
public sealed class WatchedComparisonTests
{
    private static readonly string[] Profiles = ["article", "article-spread"];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Two_profiles_that_are_live_concurrently_show_the_figures_of_their_results()
    {
        using var folder = new TemporaryFolder();
        await using var prometheus = await PrometheusServer.StartAsync(folder, Cancellation);
        await prometheus.WaitAsync("rules", static _ => true, Cancellation);
        var from = TimeProvider.System.GetUtcNow();
        var results = await Task.WhenAll(Profiles.Select(profile => CompareAsync(profile, prometheus, folder)));
        var range = (from, TimeProvider.System.GetUtcNow());
        var dashboard = await DashboardQueries.LoadAsync("strategies.json", Cancellation);

        foreach (var result in results)
        {
            var values = await dashboard.ChooseAsync(prometheus, new Dictionary<string, string> { ["profile"] = result.Settings.Profile! }, Cancellation);
            var cells = result.Cells.Select(static cell => cell.Result!).ToDictionary(static cell => cell.Run.Id, static cell => cell, StringComparer.Ordinal);
            var baseline = cells.Values.Where(static cell => cell.Strategy.Name == "baseline").Average(GetRate);

            await AssertShownAsync(dashboard.Get("Runs", "E"), "run", cells.ToDictionary(static cell => cell.Key, static cell => GetRate(cell.Value)));
            await AssertShownAsync(dashboard.Get("Runs", "F"), "run", cells.ToDictionary(static cell => cell.Key, cell => GetRate(cell.Value) / baseline));
            await AssertShownAsync(
                dashboard.Get("Throughput of the best run", "A"),
                "strategy",
                cells.Values.GroupBy(static cell => cell.Strategy.Name).ToDictionary(static same => same.Key, static same => same.Max(GetRate))
            );
            Assert.Equal(
                [result.Comparison.Id],
                await prometheus.LabelsAsync(DashboardQueries.Fill(dashboard.Get("Runs", "A").Expression, values), "comparison", Cancellation)
            );
            foreach (var query in dashboard.All)
            {
                var expression = DashboardQueries.Fill(query.Expression, values);
                var count = await prometheus.CountAsync(expression, query.IsInstant ? null : range, Cancellation);
                Assert.True(count > 0, $"{query.Panel}: {expression}");
            }

            async Task AssertShownAsync(PanelQuery query, string label, Dictionary<string, double> expected)
            {
                var shown = await prometheus.QueryAsync(DashboardQueries.Fill(query.Expression, values), label, Cancellation);
                Assert.Equal(expected.Keys.Order(StringComparer.Ordinal), shown.Keys.Order(StringComparer.Ordinal));
                Assert.All(expected, one => Assert.InRange(shown[one.Key], one.Value * 0.999, one.Value * 1.001));
            }
        }

        await prometheus.WaitAsync("targets", static answer => answer["activeTargets"]!.AsArray().Count == 0, Cancellation);
    }

    private static double GetRate(RunResult cell) => cell.Throughput.EventsPerS!.Value;

    private static async Task<ComparisonResult> CompareAsync(string profile, PrometheusServer prometheus, TemporaryFolder folder)
    {
        var output = folder.File($"{profile}.json");
        await using var running = Programs.Start(
            "consumer",
            $"compare --strategies baseline,combined --profile {profile} --metrics-targets {prometheus.Targets} --output {output}",
            null
        );
        var finished = await running.EndAsync(Cancellation, TimeSpan.FromMinutes(3));
        Assert.True(finished.ExitCode == 0, finished.Error + finished.Output);
        return ResultJson.Read<ComparisonResult>(await File.ReadAllBytesAsync(output, Cancellation));
    }
}
