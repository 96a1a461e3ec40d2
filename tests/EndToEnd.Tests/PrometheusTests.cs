using System.Globalization;
using System.Text.Json.Nodes;
using EventHubThroughput.CommandLine.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A real Prometheus with the shipped configuration reads a real run.</summary>
public sealed class PrometheusTests
{
    private static readonly string[] Legacy =
    [
        "total_stopwatch",
        "servicebus_stopwatch",
        "blobstorage_stopwatch",
        "checkpoint_stopwatch",
        "processed_messagecounter",
    ];

    [Fact]
    public async Task The_shipped_configuration_shows_irate_and_the_stopwatches_per_strategy()
    {
        RequirePeer("prometheus");
        var cancellationToken = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        var port = FreePort.Next();
        await using var prometheus = RunningProcess.Start(
            new ProcessCommand(
                "prometheus",
                $"--config.file={RepositoryFiles.PathOf("prometheus.yml")}",
                $"--storage.tsdb.path={folder.File("data")}",
                $"--web.listen-address=127.0.0.1:{port}",
                "--log.level=error"
            )
        );
        using var client = new HttpClient() { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = TimeSpan.FromSeconds(10) };
        var run = $"prometheus-{Guid.NewGuid().ToString("n")[..8]}";
        await using var consumer = Programs.Start("consumer", $"--strategy=inloop --events 900 --linger 10s --run {run}", null);
        foreach (
            var query in new[]
            {
                "irate(processed_messagecounter{strategy=\"inloop\"}[5s]) > 0",
                "total_stopwatch{strategy=\"inloop\"} > 0",
                "servicebus_stopwatch{strategy=\"inloop\"} > 0",
                "blobstorage_stopwatch{strategy=\"inloop\"} > 0",
                "checkpoint_stopwatch{strategy=\"inloop\"} > 0",
                "eventhub_step_duration_seconds_count{strategy=\"inloop\",step=\"servicebus\"} > 0",
            }
        )
        {
            await WaitForDataAsync(client, query, cancellationToken);
        }

        var finished = await consumer.EndAsync(cancellationToken);
        Assert.True(finished.ExitCode == 0, finished.Error);
        Assert.Contains("metrics: waiting for two scrapes of the last figures, at most 10s (--linger)", finished.Error, StringComparison.Ordinal);
        Assert.Contains($"throughput  {await RateAsync(client, run, cancellationToken)} events/s", finished.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scrape_passes_promtool_but_for_the_five_legacy_names()
    {
        RequirePeer("promtool");
        var cancellationToken = TestContext.Current.CancellationToken;
        var port = FreePort.Next();
        await using var consumer = Programs.Start("consumer", $"--strategy=baseline --events 300 --metrics-port {port} --linger 10s", null);
        var scrape = await Scrape.ReadAsync(port, cancellationToken);
        await using var promtool = RunningProcess.Start(new ProcessCommand("promtool", "check", "metrics"));
        await promtool.WriteAsync(scrape, cancellationToken);
        promtool.CloseInput();
        var finished = await promtool.EndAsync(cancellationToken);

        string[] complaints =
        [
            .. (finished.Output + finished.Error)
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Where(line => !Legacy.Any(name => line.StartsWith(name + " ", StringComparison.Ordinal))),
        ];
        Assert.Empty(complaints);
        Assert.All(Legacy, name => Assert.Contains($"\n{name}{{", scrape, StringComparison.Ordinal));
    }

    // The dashboard's figure of the run, as the summary rounds it.
    private static async Task<string> RateAsync(HttpClient client, string run, CancellationToken cancellationToken)
    {
        var rate = $"last_over_time(eventhub_measured_events{{run=\"{run}\"}}[5m]) / last_over_time(eventhub_measured_seconds{{run=\"{run}\"}}[5m])";
        var answer = JsonNode.Parse(
            await client.GetStringAsync(new Uri($"/api/v1/query?query={Uri.EscapeDataString(rate)}", UriKind.Relative), cancellationToken)
        )!;
        return double.Parse((string)answer["data"]!["result"]![0]!["value"]![1]!, CultureInfo.InvariantCulture).ToString("0.0", CultureInfo.InvariantCulture);
    }

    private static async Task WaitForDataAsync(HttpClient client, string query, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(TimeSpan.FromSeconds(60));
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(200));
        try
        {
            while (await look.WaitForNextTickAsync(limit.Token))
            {
                try
                {
                    var answer = JsonNode.Parse(
                        await client.GetStringAsync(new Uri($"/api/v1/query?query={Uri.EscapeDataString(query)}", UriKind.Relative), limit.Token)
                    )!;
                    if (answer["data"]!["result"]!.AsArray() is { Count: > 0 } result)
                    {
                        var value = double.Parse((string)result[0]!["value"]![1]!, CultureInfo.InvariantCulture);
                        Assert.True(value > 0);
                        return;
                    }
                }
                catch (HttpRequestException)
                {
                    // Prometheus is starting.
                }
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            Assert.Fail($"no data for {query} in 60 s");
        }
    }

    private static void RequirePeer(string program)
    {
        var present = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));
        if (!present && Environment.GetEnvironmentVariable("CI") != "true")
        {
            Assert.Skip($"{program} is not installed (Debian: apt-get install prometheus)");
        }

        Assert.True(present, $"{program} is missing, and in CI a missing peer is a failure");
    }
}
