using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Grafana;

public sealed partial class DashboardTests
{
    private const int GridWidth = 24;

    private static readonly string[] Widespread = ["stat", "bargauge", "timeseries", "table", "state-timeline", "heatmap", "barchart", "trend", "row"];

    public static TheoryData<string> Files => [.. Dashboard.Files];

    // What is exported and on no dashboard.
    private static readonly string[] NotShown = [MetricNames.BuildInfo, MetricNames.ProcessStartTimeSeconds];

    private static readonly Lazy<string[]> OfEmulator = new(() => NamesIn("Emulator.Core", "Administration", "StatisticsMetrics.cs"));

    private static readonly Lazy<string[]> OfSender = new(() => NamesIn("Sender", "Sending", "SendMetrics.cs"));

    // Those of the emulator that are for its own users, on any platform.
    private static readonly string[] OfEmulatorNotShown =
    [
        "emulator_uptime_seconds",
        "emulator_connections",
        "emulator_hub_partitions",
        "emulator_hub_size_bytes",
        "emulator_container_size_bytes",
        "emulator_queue_size_bytes",
        "emulator_faults_total",
    ];

    [Fact]
    public void The_comparison_and_the_single_run_are_shipped() => Assert.Equal(["run.json", "strategies.json"], Dashboard.Files.Order(StringComparer.Ordinal));

    [Fact]
    public void Every_exported_family_is_shown_or_listed_as_not_shown()
    {
        var shown = Dashboard
            .Files.SelectMany(static file => Dashboard.Load(file).Expressions)
            .SelectMany(Dashboard.GetMetrics)
            .Select(WithoutSuffix)
            .ToHashSet(StringComparer.Ordinal);

        Assert.Empty(MetricNames.All.Except(NotShown).Except(shown));
        Assert.Empty(OfEmulator.Value.Except(OfEmulatorNotShown).Except(shown));
        Assert.Empty(OfSender.Value.Except(shown));
        Assert.Empty(NotShown.Concat(OfEmulatorNotShown).Intersect(shown));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_panel_describes_its_content_its_unit_and_why_it_may_be_empty(string file) =>
        Assert.All(
            Dashboard.Load(file).Panels.Where(static panel => Dashboard.Text(panel, "type") != "row"),
            static panel =>
            {
                var defaults = panel["fieldConfig"]!["defaults"]!.AsObject();
                Assert.NotEmpty(Dashboard.Text(panel, "title"));
                Assert.NotEmpty(Dashboard.Text(panel, "description"));
                Assert.NotEmpty(Dashboard.Text(defaults, "unit"));
                Assert.Equal("No run in this time range", Dashboard.Text(defaults, "noValue"));

                // Those of a file that names none paint every cell red.
                Assert.NotEmpty(defaults["thresholds"]!["steps"]!.AsArray());
            }
        );

    [Theory]
    [MemberData(nameof(Files))]
    public void A_dashboard_can_be_provisioned_everywhere(string file)
    {
        var dashboard = Dashboard.Load(file);

        Assert.NotEmpty(Dashboard.Text(dashboard.Root, "uid"));
        Assert.False(dashboard.Root.ContainsKey("id"));
        Assert.False(dashboard.Root.ContainsKey("__inputs"));
        Assert.InRange(dashboard.Root["schemaVersion"]!.GetValue<int>(), 37, 39);
        Assert.All(dashboard.Panels, panel => Assert.Contains(Dashboard.Text(panel, "type"), Widespread));
        Assert.Equal(
            Dashboard.Files.Count(),
            Dashboard.Files.Select(other => Dashboard.Text(Dashboard.Load(other).Root, "uid")).Distinct(StringComparer.Ordinal).Count()
        );
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Dashboard_shows_the_last_quarter_of_an_hour_and_refreshes_with_each_scrape(string file)
    {
        var dashboard = Dashboard.Load(file);

        Assert.Equal("now-15m", dashboard.Root["time"]!["from"]!.GetValue<string>());
        Assert.Equal("10s", Dashboard.Text(dashboard.Root, "refresh"));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Panel_ids_are_unique(string file)
    {
        var ids = Dashboard.Load(file).Panels.Select(panel => panel["id"]!.GetValue<int>()).ToArray();

        Assert.Equal(ids.Length, ids.Distinct().Count());
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void No_two_panels_overlap_and_none_leaves_the_grid(string file)
    {
        var cells = Dashboard.Load(file).TopPanels.Select(panel => (Title: Dashboard.Text(panel, "title"), Grid: panel["gridPos"]!)).ToArray();

        foreach (var (title, grid) in cells)
        {
            Assert.True(At(grid, "x") >= 0 && At(grid, "w") > 0 && At(grid, "x") + At(grid, "w") <= GridWidth, title);
        }

        var pairs =
            from i in Enumerable.Range(0, cells.Length)
            from j in Enumerable.Range(0, i)
            where Overlap(cells[i].Grid, "x", "w", cells[j].Grid) && Overlap(cells[i].Grid, "y", "h", cells[j].Grid)
            select $"{cells[i].Title} and {cells[j].Title}";
        Assert.Empty(pairs);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Everything_asks_the_chosen_data_source(string file)
    {
        var dashboard = Dashboard.Load(file);
        var references = Dashboard.Find(dashboard.Root, "datasource").Where(node => node is JsonObject).ToArray();

        Assert.All(references, reference => Assert.Equal("${datasource}", reference["uid"]!.GetValue<string>()));
        Assert.Equal(
            ["datasource"],
            dashboard.Variables.Where(variable => Dashboard.Text(variable, "type") == "datasource").Select(variable => Dashboard.Text(variable, "name"))
        );
        var askers = dashboard
            .Panels.Where(panel => Dashboard.Text(panel, "type") != "row")
            .Concat(dashboard.Panels.SelectMany(panel => panel["targets"]?.AsArray().Select(target => target!.AsObject()) ?? []))
            .Concat(dashboard.Annotations)
            .Concat(dashboard.Variables.Where(variable => Dashboard.Text(variable, "type") == "query"));
        Assert.All(askers, asker => Assert.IsType<JsonObject>(asker["datasource"]));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_metric_in_use_is_exported(string file)
    {
        var expressions = Dashboard.Load(file).Expressions;

        Assert.NotEmpty(expressions);
        Assert.All(
            expressions,
            expression =>
            {
                var names = Dashboard.GetMetrics(expression).ToArray();
                Assert.NotEmpty(names);
                Assert.All(names, name => Assert.Contains(WithoutSuffix(name), MetricNames.All.Concat(OfEmulator.Value).Concat(OfSender.Value)));
            }
        );
    }

    [Fact]
    public void The_articles_five_metrics_are_on_the_comparison()
    {
        var used = Dashboard.Load("strategies.json").Expressions.SelectMany(Dashboard.GetMetrics).ToHashSet(StringComparer.Ordinal);

        Assert.Superset(MetricNames.Legacy.ToHashSet(StringComparer.Ordinal), used);
    }

    [Fact]
    public void The_throughput_of_a_run_is_its_two_measured_numbers()
    {
        var panels = Dashboard
            .Load("strategies.json")
            .Panels.Where(panel => Dashboard.Text(panel, "title").StartsWith("Throughput ", StringComparison.Ordinal))
            .ToArray();

        Assert.NotEmpty(panels);
        Assert.All(
            panels.Where(panel => Dashboard.Text(panel, "type") != "row"),
            panel =>
            {
                var used = Dashboard
                    .Find(panel, "expr")
                    .SelectMany(expression => Dashboard.GetMetrics(expression.GetValue<string>()))
                    .ToHashSet(StringComparer.Ordinal);
                Assert.Equal([MetricNames.MeasuredEvents, MetricNames.MeasuredSeconds], used.Order());

                // The time falls back to the last completion when a run ends: its largest value is of no scrape that the events are of.
                Assert.All(
                    Dashboard.Find(panel, "expr"),
                    expression => Assert.DoesNotContain("max_over_time", expression.GetValue<string>(), StringComparison.Ordinal)
                );
            }
        );
    }

    // A panel that reduces a range to its last value shows that value as long as the range holds it.
    [Theory]
    [MemberData(nameof(Files))]
    public void No_panel_that_keeps_a_last_value_claims_to_be_empty(string file) =>
        Assert.All(
            Dashboard
                .Load(file)
                .Panels.Where(panel =>
                    Dashboard.Text(panel, "type") != "row"
                    && Dashboard.Find(panel, "range").Any(range => range.GetValue<bool>())
                    && Dashboard.Find(panel, "calcs").Any(calcs => calcs.ToJsonString().Contains("lastNotNull", StringComparison.Ordinal))
                ),
            panel => Assert.DoesNotContain("empty", Dashboard.Text(panel, "description"), StringComparison.Ordinal)
        );

    [Theory]
    [MemberData(nameof(Files))]
    public void A_rate_sees_at_least_four_scrapes_at_any_interval(string file) =>
        Assert.All(
            Dashboard.Load(file).Expressions.Where(expression => expression.Contains("rate(", StringComparison.Ordinal)),
            expression => Assert.Matches(@"rate\([^\[]+\[\$__(rate_interval|range)\]\)", expression)
        );

    [Theory]
    [InlineData("sum by (strategy) (irate(a_total{x=~\"$y\"}[40s])) / on (run) group_left () max by (run) (b > 0)", "a_total b")]
    [InlineData("histogram_quantile(0.95, sum by (le) (rate(c_bucket[$__range])))", "c_bucket")]
    [InlineData("label_values(d, strategy)", "d")]
    [InlineData("label_values(d{x=~\"$x\",y=~\"$y\"}, strategy)", "d")]
    [InlineData("e and f or vector(1)", "e f")]
    [InlineData("count_values by (run) (\"after\", floor(g)) * on (run) group_left () h", "g h")]
    [InlineData("max_over_time((g and on (run) h <= 1)[$__range:1s])", "g h")]
    public void The_metrics_of_an_expression_are_found(string expression, string expected) =>
        Assert.Equal(expected, string.Join(' ', Dashboard.GetMetrics(expression)));

    private static string WithoutSuffix(string name) =>
        new[] { "_bucket", "_sum", "_count" }.FirstOrDefault(suffix => name.EndsWith("_seconds" + suffix, StringComparison.Ordinal)) is { } found
            ? name[..^found.Length]
            : name;

    // The families that a program names in one of its files.
    private static string[] NamesIn(params string[] path)
    {
        string[] names =
        [
            .. QuotedFamily()
                .Matches(File.ReadAllText(RepositoryFiles.GetPath(["src", .. path])))
                .Select(static match => match.Groups["name"].Value)
                .Distinct(StringComparer.Ordinal),
        ];
        Assert.NotEmpty(names);
        return names;
    }

    [GeneratedRegex("\"(?<name>(emulator|sender)_[a-z_]+)\"", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex QuotedFamily();

    private static int At(JsonNode grid, string property) => grid[property]!.GetValue<int>();

    private static bool Overlap(JsonNode a, string from, string length, JsonNode b) =>
        At(a, from) < At(b, from) + At(b, length) && At(b, from) < At(a, from) + At(a, length);
}
