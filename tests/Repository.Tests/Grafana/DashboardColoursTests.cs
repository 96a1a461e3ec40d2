using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Grafana;

/// <summary>A strategy has one colour, in reports and on dashboards.</summary>
public sealed class DashboardColoursTests
{
    private static readonly JsonNode[] Panels =
    [
        .. GetPanels(JsonNode.Parse(File.ReadAllText(RepositoryFiles.GetPath("grafana", "dashboards", "strategies.json")))!),
    ];

    public static TheoryData<string> Strategies => [.. StrategyCatalog.Names, .. StrategyCatalog.OfOfficialPackages];

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Every_panel_that_colours_strategies_gives_each_the_colour_of_the_report(string strategy)
    {
        var colours = Panels
            .Select(panel => string.Join(' ', GetColours(panel, strategy).Concat(GetColours(panel, $"{strategy}-d16-b10-e70bfb57"))))
            .Where(static colour => colour.Length > 0)
            .ToArray();

        Assert.True(colours.Length >= 10);
        Assert.All(colours, colour => Assert.Equal(StrategyColours.Of(strategy).Colour, colour));
    }

    private static IEnumerable<JsonNode> GetPanels(JsonNode parent) =>
        parent["panels"]?.AsArray().SelectMany(static panel => GetPanels(panel!).Prepend(panel!)) ?? [];

    // Of all rules that the name of a series meets.
    private static IEnumerable<string> GetColours(JsonNode panel, string series) =>
        from rule in panel["fieldConfig"]?["overrides"]?.AsArray() ?? []
        where
            (string?)rule!["matcher"]!["id"] == "byRegexp"
            && Regex.IsMatch(series, ((string)rule["matcher"]!["options"]!).Trim('/'), RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1))
        from property in rule["properties"]!.AsArray()
        where (string?)property!["id"] == "color"
        select (string)property["value"]!["fixedColor"]!;
}
