using System.Globalization;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests.Library;

/// <summary>What the recipes of CONTRIBUTING.md say, followed word for word on a copy of the sources, gives what they say.</summary>
public sealed class RecipeTests(Recipes recipes) : IClassFixture<Recipes>
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_strategy_with_its_option_is_listed_and_runs_clean()
    {
        var help = await Programs.RunAsync(recipes.Consumer, "--help", null, Cancellation);
        Assert.Contains("|groups", help.Output, StringComparison.Ordinal);
        Assert.Matches(@"\n  --group N +Strategy groups: Most events of a group \(1 to 64\) \[4\]\n", help.Output);

        var run = await Programs.RunAsync(recipes.Consumer, recipes.ArgumentsOf("Add a strategy") + " --no-metrics", null, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.StartsWith("strategy    groups, group 8, degree 16 (reached ", run.Output, StringComparison.Ordinal);
        Assert.Contains("verdict: clean (600 of 600", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_sink_is_written_to_measured_and_said_to_be_unjudged()
    {
        var run = await Programs.RunAsync(recipes.Consumer, recipes.ArgumentsOf("Add a sink") + " --no-metrics", null, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("verdict: clean (600 of 600", run.Output, StringComparison.Ordinal);
        Assert.Matches(@"\nlengths +[1-9]\d+ ", run.Output);
        Assert.Contains("\nunjudged    lengths: ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_metric_is_served_while_its_run_lasts()
    {
        var port = FreePort.Next();
        var arguments = recipes.ArgumentsOf("Add a metric").Replace("9464", port.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);

        await using var run = Programs.Start(recipes.Consumer, arguments, null);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        limit.CancelAfter(Programs.Limit);
        while (Scrape.ValueOf(await Scrape.ReadAsync(port, limit.Token), "eventhub_body_bytes_total") < 1024)
        {
            // Nothing is complete yet; each reading waits a moment by itself.
        }

        await run.SignalAsync("TERM");
        var ended = await run.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);
    }
}
