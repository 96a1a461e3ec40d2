using System.CommandLine;
using System.Text.Json.Nodes;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Dashboards;

/// <summary>Draws a panel of each dashboard like the charts of the reports, from the answers of Prometheus to the panel's queries.</summary>
internal static class DashboardsCommand
{
    private static readonly Option<string?> Server = Options.Text("--prometheus", "Address of a Prometheus that has seen the runs", "URL");
    private static readonly Option<string?> Folder = Options.Text("--output", "Where the pictures go", "DIR");
    private static readonly Option<string> Dashboards = Options.TextOr("--dashboards", "Where the dashboards are", "grafana/dashboards", "DIR");
    private static readonly Option<TimeSpan> Range = Options.Duration(
        "--range",
        "How far back from now",
        TimeSpan.FromMinutes(15),
        TimeSpan.FromSeconds(10),
        TimeSpan.FromHours(3)
    );

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Draws a panel of each dashboard from the data of a Prometheus.") { Server, Folder, Dashboards, Range };
        root.Check(result =>
            Uri.TryCreate(result.GetValue(Server), UriKind.Absolute, out _) ? null : $"{Server.Name} '{result.GetValue(Server)}': not an address"
        );
        root.Check(result => Directory.Exists(result.GetValue(Folder)) ? null : $"{Folder.Name} '{result.GetValue(Folder)}': not a folder");
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                using var server = new PrometheusQueries(new Uri(parsed.GetValue(Server)!), clock.GetUtcNow(), parsed.GetValue(Range));
                var names = await server.RunsAsync(cancellationToken);
                var longest =
                    names.OrderByDescending(static run => run.Value).Select(static run => run.Key).FirstOrDefault()
                    ?? throw new UsageException($"{parsed.GetValue(Server)}: has seen no run within the range");
                foreach (
                    var (file, panel, run, unit) in new[]
                    {
                        ("strategies", "Events per second", ".+", "events/s"),
                        ("run", "Time of an event: percentiles", longest, "ms"),
                    }
                )
                {
                    var text = await File.ReadAllTextAsync(Path.Combine(parsed.GetValue(Dashboards)!, $"{file}.json"), cancellationToken);
                    var lines = await server.LinesAsync(GetPanel(JsonNode.Parse(text)!, panel), run, unit == "ms" ? 1000 : 1, cancellationToken);
                    var path = Path.Combine(parsed.GetValue(Folder)!, $"dashboard-{file}.svg");
                    await File.WriteAllTextAsync(path, DashboardPicture.Draw(file == "run" ? $"{panel}, {run}" : panel, unit, lines), cancellationToken);
                    await console.Output.WriteLineAsync($"{path}: {panel}, {lines.Count} lines");
                }

                return 0;
            }
        );
        return root;
    }

    private static JsonNode GetPanel(JsonNode parent, string title) =>
        GetPanels(parent).First(panel => (string?)panel["title"] == title && (string?)panel["type"] == "timeseries");

    private static IEnumerable<JsonNode> GetPanels(JsonNode parent) =>
        parent["panels"]?.AsArray().SelectMany(static panel => GetPanels(panel!).Prepend(panel!)) ?? [];
}
