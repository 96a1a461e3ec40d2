using EventHubThroughput.Telemetry;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Grafana;

/// <summary>The dashboard of strategies shows runs of the same settings.</summary>
public sealed class ComparableRunsTests
{
    private static readonly string[] Settings = ["comparison", "profile", "partitions", "clients", "degree", "batch"];

    private static readonly Dashboard Strategies = Dashboard.Load("strategies.json");

    [Fact]
    public void Each_setting_is_a_variable_that_the_ones_before_it_limit()
    {
        string[] expected = [.. Settings, "strategy", "run"];
        var variables = Strategies.Variables.Where(static variable => Dashboard.Text(variable, "type") == "query").ToArray();

        Assert.Equal(expected, variables.Select(static variable => Dashboard.Text(variable, "name")));
        Assert.All(
            variables.Index(),
            variable =>
            {
                var filters = string.Join(',', expected.Take(variable.Index).Select(static name => $"{name}=~\"${name}\""));
                var series = filters.Length == 0 ? MetricNames.RunInfo : $"{MetricNames.RunInfo}{{{filters}}}";
                Assert.Equal($"label_values({series}, {expected[variable.Index]})", Dashboard.Text(variable.Item, "definition"));
            }
        );
    }

    // Runs on different services are never shown together.
    [Theory]
    [InlineData("profile", false)]
    [InlineData("partitions", false)]
    [InlineData("clients", false)]
    [InlineData("degree", true)]
    [InlineData("batch", true)]
    [InlineData("comparison", true)]
    public void One_profile_one_number_of_partitions_and_one_family_of_clients_are_chosen(string name, bool isMulti)
    {
        var variable = Strategies.Variables.Single(variable => Dashboard.Text(variable, "name") == name);

        Assert.Equal((isMulti, isMulti), (variable["multi"]!.GetValue<bool>(), variable["includeAll"]!.GetValue<bool>()));
    }

    [Fact]
    public void A_run_without_a_comparison_is_among_all() =>
        Assert.Equal(".*", Dashboard.Text(Strategies.Variables.Single(static variable => Dashboard.Text(variable, "name") == "comparison"), "allValue"));

    [Fact]
    public void Every_query_is_limited_to_the_chosen_runs() =>
        Assert.All(
            Strategies.TopPanels.SelectMany(static panel => Dashboard.Find(panel, "expr")),
            static expression => Assert.Contains("run=~\"$run\"", expression.GetValue<string>(), StringComparison.Ordinal)
        );

    [Fact]
    public void The_ratio_to_baseline_is_of_runs_with_the_same_settings()
    {
        var ratio = Assert.Single(
            Dashboard.Find(Strategies.Root, "expr").Select(static expression => expression.GetValue<string>()),
            static expression => expression.Contains("strategy=\"baseline\"", StringComparison.Ordinal)
        );

        // Baseline has a degree of 1 in force at any setting.
        string[] shared = [.. Settings.Where(static name => name != "degree")];
        Assert.Contains($"/ on ({string.Join(", ", shared)}) group_left () avg by ({string.Join(", ", shared)})", ratio, StringComparison.Ordinal);
    }

    [Fact]
    public void Runs_of_one_strategy_are_not_added_up() =>
        Assert.All(
            Dashboard
                .Find(Strategies.Root, "expr")
                .Select(static expression => expression.GetValue<string>())
                .Where(static expression => expression.Contains($"irate({MetricNames.ProcessedMessageCounter}", StringComparison.Ordinal)),
            static expression => Assert.StartsWith("max by (strategy) (sum by (strategy, run) (", expression, StringComparison.Ordinal)
        );
}
