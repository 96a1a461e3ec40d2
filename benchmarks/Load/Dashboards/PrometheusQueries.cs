using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Dashboards;

/// <summary>A line of a panel: its legend, and its points by the seconds since the beginning of the range.</summary>
internal sealed record PanelLine(string Label, IReadOnlyList<(double X, double Y)> Points);

/// <summary>Sends the queries of a dashboard to Prometheus, over one range.</summary>
internal sealed partial class PrometheusQueries(Uri address, DateTimeOffset now, TimeSpan range) : IDisposable
{
    private readonly HttpClient http = new() { BaseAddress = address, Timeout = TimeSpan.FromSeconds(30) };

    public void Dispose() => http.Dispose();

    /// <summary>The recorded runs, with the number of measured events of each.</summary>
    public async Task<IReadOnlyDictionary<string, double>> RunsAsync(CancellationToken cancellationToken) =>
        (
            await AskAsync(
                $"query?query={Uri.EscapeDataString($"max by (run) (last_over_time(eventhub_measured_events[{Seconds(range)}s]))")}",
                cancellationToken
            )
        ).ToDictionary(static row => (string)row!["metric"]!["run"]!, static row => GetValue(row!["value"]!), StringComparer.Ordinal);

    /// <summary>The lines of a panel.</summary>
    /// <param name="panel">The panel, from the dashboard.</param>
    /// <param name="run">The run or runs, as the value of the variable.</param>
    /// <param name="factor">The factor for all values.</param>
    /// <param name="cancellationToken">Cancels the queries.</param>
    public async Task<IReadOnlyList<PanelLine>> LinesAsync(JsonNode panel, string run, double factor, CancellationToken cancellationToken)
    {
        List<PanelLine> lines = [];
        var from = now - range;
        foreach (var target in panel["targets"]!.AsArray().DistinctBy(static target => (string?)target!["legendFormat"]))
        {
            var query = ((string)target!["expr"]!)
                .Replace("$__rate_interval", "4s", StringComparison.Ordinal)
                .Replace("$strategy", ".+", StringComparison.Ordinal)
                .Replace("$run", run, StringComparison.Ordinal)
                .Replace("$percentile", "0.9", StringComparison.Ordinal);
            var rows = await AskAsync(
                $"query_range?query={Uri.EscapeDataString(query)}&start={from.ToUnixTimeSeconds()}&end={now.ToUnixTimeSeconds()}&step=1",
                cancellationToken
            );
            lines.AddRange(
                rows.Select(row => new PanelLine(
                    Placeholder().Replace((string)target["legendFormat"]!, name => (string?)row!["metric"]![name.Groups["label"].Value] ?? ""),
                    [
                        .. row!["values"]!
                            .AsArray()
                            .Select(sample => (X: (double)sample![0]! - from.ToUnixTimeSeconds(), Y: factor * GetValue(sample)))
                            .Where(static point => double.IsFinite(point.Y)),
                    ]
                ))
            );
        }

        return [.. lines.Where(static line => line.Points.Any(static point => point.Y > 0))];
    }

    private async Task<JsonArray> AskAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            var text = await http.GetStringAsync(new Uri($"/api/v1/{path}", UriKind.Relative), cancellationToken);
            return JsonNode.Parse(text)!["data"]!["result"]!.AsArray();
        }
        catch (HttpRequestException failure)
        {
            throw new UsageException($"{http.BaseAddress}: {failure.Message}");
        }
    }

    private static long Seconds(TimeSpan time) => (long)time.TotalSeconds;

    private static double GetValue(JsonNode sample) => double.Parse((string)sample[1]!, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"\{\{(?<label>\w+)\}\}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Placeholder();
}
