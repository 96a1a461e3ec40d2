using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using EventHubThroughput.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A real Prometheus with the shipped configuration and rules, except for the folder of targets, which is the test's own.</summary>
internal sealed class PrometheusServer : IAsyncDisposable
{
    private readonly RunningProcess process;
    private readonly HttpClient http;

    private PrometheusServer(RunningProcess process, HttpClient http, string targets)
    {
        this.process = process;
        this.http = http;
        Targets = targets;
    }

    /// <summary>Where consumers are to list themselves.</summary>
    public string Targets { get; }

    public static async Task<PrometheusServer> StartAsync(TemporaryFolder folder, CancellationToken cancellationToken)
    {
        Peer.Require("prometheus");
        var targets = Directory.CreateDirectory(folder.File("targets")).FullName;
        var configuration = folder.File("prometheus.yml");
        var shipped = await File.ReadAllTextAsync(RepositoryFiles.GetPath("prometheus.yml"), cancellationToken);
        await File.WriteAllTextAsync(
            configuration,
            shipped
                .Replace("/tmp/eventhub-throughput/targets", targets, StringComparison.Ordinal)
                .Replace("grafana/rules.yml", RepositoryFiles.GetPath("grafana", "rules.yml"), StringComparison.Ordinal),
            cancellationToken
        );
        var port = FreePort.Next();
        var started = RunningProcess.Start(
            new ProcessCommand(
                "prometheus",
                $"--config.file={configuration}",
                $"--storage.tsdb.path={folder.File("data")}",
                $"--web.listen-address=127.0.0.1:{port}",
                "--scrape.discovery-reload-interval=1s",
                "--log.level=error"
            )
        );
        return new PrometheusServer(
            started,
            new HttpClient() { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = TimeSpan.FromSeconds(30) },
            targets
        );
    }

    /// <summary>The finite values of an instant query, by the value of a label.</summary>
    public async Task<IReadOnlyDictionary<string, double>> QueryAsync(string query, string label, CancellationToken cancellationToken) =>
        (await AskAsync($"query?query={Uri.EscapeDataString(query)}", cancellationToken))["result"]!
            .AsArray()
            .Select(row => (Name: (string?)row!["metric"]![label] ?? string.Empty, Value: GetValue(row["value"]!)))
            .Where(static row => double.IsFinite(row.Value))
            .ToDictionary(static row => row.Name, static row => row.Value, StringComparer.Ordinal);

    /// <summary>The values of a label, sorted.</summary>
    public async Task<IReadOnlyList<string>> LabelsAsync(string query, string label, CancellationToken cancellationToken) =>
        [
            .. (await AskAsync($"query?query={Uri.EscapeDataString(query)}", cancellationToken))["result"]!
                .AsArray()
                .Select(row => (string?)row!["metric"]![label])
                .OfType<string>()
                .Distinct(StringComparer.Ordinal)
                .Order(StringComparer.Ordinal),
        ];

    /// <summary>How many finite values there are now, or over a time in steps of a second.</summary>
    public async Task<int> CountAsync(string query, (DateTimeOffset From, DateTimeOffset To)? range, CancellationToken cancellationToken)
    {
        var asked = Uri.EscapeDataString(query);
        var answer = range is var (from, to)
            ? await AskAsync($"query_range?query={asked}&start={from.ToUnixTimeSeconds()}&end={to.ToUnixTimeSeconds()}&step=1", cancellationToken)
            : await AskAsync($"query?query={asked}", cancellationToken);
        return answer["result"]!
            .AsArray()
            .SelectMany(static row => row!["values"]?.AsArray() ?? new JsonArray(row["value"]!.DeepClone()))
            .Count(static value => double.IsFinite(GetValue(value!)));
    }

    /// <summary>What the API answers.</summary>
    public async Task<JsonNode> AskAsync(string path, CancellationToken cancellationToken)
    {
        using var answer = await http.GetAsync(new Uri($"/api/v1/{path}", UriKind.Relative), cancellationToken);
        var text = await answer.Content.ReadAsStringAsync(cancellationToken);
        if (answer.StatusCode == HttpStatusCode.ServiceUnavailable)
        {
            throw new HttpRequestException($"{path}: {text}");
        }

        Assert.True(answer.IsSuccessStatusCode, $"{path}: {text}");
        return JsonNode.Parse(text)!["data"]!;
    }

    /// <summary>Asks again and again until it is as expected.</summary>
    public async Task WaitAsync(string path, Func<JsonNode, bool> expected, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(TimeSpan.FromSeconds(60));
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(200));
        while (await look.WaitForNextTickAsync(limit.Token))
        {
            try
            {
                if (expected(await AskAsync(path, limit.Token)))
                {
                    return;
                }
            }
            catch (HttpRequestException)
            {
                // It is starting.
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        http.Dispose();
        await process.DisposeAsync();
    }

    private static double GetValue(JsonNode sample) =>
        (string)sample[1]! switch
        {
            "+Inf" => double.PositiveInfinity,
            "-Inf" => double.NegativeInfinity,
            var text => double.Parse(text, CultureInfo.InvariantCulture),
        };
}
