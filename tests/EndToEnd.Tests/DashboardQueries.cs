using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The queries of a dashboard and of its variables, filled as Grafana does at a scrape interval of a second.</summary>
internal sealed partial class DashboardQueries
{
    /// <summary>The time range that queries look back over.</summary>
    public const string Range = "10m";

    private static readonly string[] OfAnyValue = ["profile", "partitions", "clients", "degree", "batch", "strategy", "run"];

    private readonly JsonNode dashboard;

    private DashboardQueries(JsonNode dashboard) => this.dashboard = dashboard;

    /// <summary>Every query of every panel.</summary>
    public IReadOnlyList<PanelQuery> All =>
        [
            .. GetPanels(dashboard)
                .SelectMany(static panel =>
                    (panel["targets"]?.AsArray() ?? []).Select(target => new PanelQuery(
                        (string)panel["title"]!,
                        (string)target!["refId"]!,
                        (string)target["expr"]!,
                        (bool)target["instant"]!
                    ))
                ),
        ];

    /// <summary>The variables that ask Prometheus, each with its series and label, in their order.</summary>
    public IReadOnlyList<(string Name, string Series, JsonNode Variable)> Variables =>
        [
            .. dashboard["templating"]!["list"]!
                .AsArray()
                .Where(static variable => (string?)variable!["type"] == "query")
                .Select(static variable =>
                    ((string)variable!["name"]!, LabelValues().Match((string)variable["definition"]!).Groups["series"].Value, (JsonNode)variable)
                ),
        ];

    public static async Task<DashboardQueries> LoadAsync(string file, CancellationToken cancellationToken) =>
        new(JsonNode.Parse(await File.ReadAllTextAsync(RepositoryFiles.GetPath("grafana", "dashboards", file), cancellationToken))!);

    /// <summary>The values of all variables where every run is chosen.</summary>
    public static IReadOnlyDictionary<string, string> AnyRun { get; } =
        new Dictionary<string, string>(
            [new("comparison", ".*"), .. OfAnyValue.Select(static name => new KeyValuePair<string, string>(name, ".+"))],
            StringComparer.Ordinal
        );

    /// <summary>The query of a panel.</summary>
    public PanelQuery Get(string panel, string refId) => All.Single(query => query.Panel == panel && query.RefId == refId);

    /// <summary>A query with the values of the variables.</summary>
    public static string Fill(string expression, IReadOnlyDictionary<string, string> values) =>
        values
            .OrderByDescending(static value => value.Key.Length)
            .Aggregate(expression, static (text, value) => text.Replace($"${value.Key}", value.Value, StringComparison.Ordinal))
            .Replace("$__rate_interval", "4s", StringComparison.Ordinal)
            .Replace("$__range", Range, StringComparison.Ordinal)
            .Replace("$percentile", "0.95", StringComparison.Ordinal);

    /// <summary>The values of the variables after a viewer has chosen some. The others have all values, or the first one.</summary>
    public async Task<IReadOnlyDictionary<string, string>> ChooseAsync(
        PrometheusServer prometheus,
        IReadOnlyDictionary<string, string> chosen,
        CancellationToken cancellationToken
    )
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, series, variable) in Variables)
        {
            var offered = await prometheus.LabelsAsync($"last_over_time({Fill(series, values)}[{Range}])", name, cancellationToken);
            if (chosen.TryGetValue(name, out var one))
            {
                Assert.Contains(one, offered);
            }

            values[name] =
                one ?? ((bool)variable["includeAll"]! ? (string?)variable["allValue"] ?? $"({string.Join('|', offered.Select(Regex.Escape))})" : offered[0]);
        }

        return values;
    }

    private static IEnumerable<JsonNode> GetPanels(JsonNode parent) =>
        parent["panels"]?.AsArray().SelectMany(static panel => GetPanels(panel!).Prepend(panel!)) ?? [];

    [GeneratedRegex(@"\Alabel_values\((?<series>.*), \w+\)\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LabelValues();
}

/// <summary>A query of a panel.</summary>
internal sealed record PanelQuery(string Panel, string RefId, string Expression, bool IsInstant);
