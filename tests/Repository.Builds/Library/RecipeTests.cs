using System.Globalization;
using System.Text.Json.Nodes;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>What the recipes of CONTRIBUTING.md say, followed word for word on a copy of the sources, gives what they say.</summary>
public sealed class RecipeTests(Recipes recipes) : IClassFixture<Recipes>, IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("recipe-");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_strategy_with_its_option_is_listed_and_runs_clean()
    {
        var help = await Programs.RunAsync(recipes.Consumer, "--help", null, Cancellation);
        Assert.Contains("|groups", help.Output, StringComparison.Ordinal);
        Assert.Matches(@"\n  --group N +Strategy groups: Most events of a group \(1 to 64\) \[4\]\n", help.Output);

        var run = await Programs.RunAsync(recipes.Consumer, recipes.GetArguments("Add a strategy") + " --no-metrics", null, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.StartsWith("strategy    groups, group 8, degree 16 (reached ", run.Output, StringComparison.Ordinal);
        Assert.Contains("verdict: clean (600 of 600", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Add a strategy", 2)]
    [InlineData("Add an option", 2)]
    [InlineData("Add a sink", 2)]
    [InlineData("Add a metric", 3)]
    public void A_recipe_changes_few_files(string title, int files) => Assert.Equal(files, recipes.GetFiles(title).Count);

    [Fact]
    public async Task An_option_is_listed_reaches_the_strategy_and_is_in_the_result()
    {
        var help = await Programs.RunAsync(recipes.Consumer, "--help", null, Cancellation);
        Assert.Matches("\n  --degree N .*\n  --degree-per-processor N +Most events in flight per partition and processor", help.Output);
        var file = Path.Combine(folder.FullName, "run.json");

        var run = await Programs.RunAsync(recipes.Consumer, $"{recipes.GetArguments("Add an option")} --no-metrics --output {file}", null, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.StartsWith($"strategy    combined, degree {4 * Environment.ProcessorCount} (reached ", run.Output, StringComparison.Ordinal);
        Assert.Equal((4, 4 * Environment.ProcessorCount), DegreesIn(await ReadAsync(file)));
    }

    [Fact]
    public async Task An_option_reaches_the_processes_that_are_started()
    {
        var file = Path.Combine(folder.FullName, "compared.json");
        const string Compared = "compare --strategies combined:degree-per-processor=3,outloop --profile none --events 20000 --warm-up 100ms --measure 500ms";

        var run = await Programs.RunAsync(recipes.Consumer, $"{Compared} --degree-per-processor=2 --output {file}", null, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error);
        var degrees = (await ReadAsync(file))["cells"]!.AsArray().Select(static cell => DegreesIn(cell!["result"]!)).ToList();
        Assert.Equal([(2, 2 * Environment.ProcessorCount), (3, 3 * Environment.ProcessorCount)], degrees.Distinct().Order());
    }

    [Fact]
    public async Task The_sink_of_the_recipe_is_written_measured_and_reported_as_unjudged()
    {
        var run = await Programs.RunAsync(recipes.Consumer, recipes.GetArguments("Add a sink") + " --no-metrics", null, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("verdict: clean (600 of 600", run.Output, StringComparison.Ordinal);
        Assert.Matches(@"\nlengths +[1-9]\d+ ", run.Output);
        Assert.Contains("\nunjudged    lengths: ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_metric_is_served_while_its_run_lasts()
    {
        var port = FreePort.Next();
        var arguments = recipes.GetArguments("Add a metric").Replace("9464", port.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);

        await using var run = Programs.Start(recipes.Consumer, arguments, null);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        limit.CancelAfter(Programs.Limit);
        while (Scrape.GetValue(await Scrape.ReadAsync(port, limit.Token), "eventhub_body_bytes_total") < 1024)
        {
            // Nothing is complete yet. Each reading waits a moment by itself.
        }

        await run.SignalAsync("TERM");
        var ended = await run.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);
    }

    public void Dispose() => folder.Delete(recursive: true);

    private static async Task<JsonNode> ReadAsync(string file) => JsonNode.Parse(await File.ReadAllTextAsync(file, Cancellation))!;

    private static (int Asked, int InForce) DegreesIn(JsonNode result) =>
        ((int)result["run"]!["options"]!["processing"]!["maxConcurrencyPerProcessor"]!, (int)result["strategy"]!["degree"]!);
}
