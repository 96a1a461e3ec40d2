using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Processes;
using EventHubThroughput.Profiles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A real Prometheus reads real runs, and is asked what the dashboards ask.</summary>
[Collection<AloneCollection>]
public sealed class PrometheusTests
{
    // Concurrent runs: each waits for latencies more than it computes.
    private const int Lanes = 5;

    // Of which the first second is left out. Prometheus finds a run while its hub is filled, so that few are enough for its figures.
    private const int SecondsOfRun = 6;

    private const int Keys = 200;

    private static readonly string[] Legacy =
    [
        "total_stopwatch",
        "servicebus_stopwatch",
        "blobstorage_stopwatch",
        "checkpoint_stopwatch",
        "processed_messagecounter",
    ];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [EachFamily]
    public async Task Every_strategy_is_on_every_panel_with_the_rate_of_its_result(string clients)
    {
        using var folder = new TemporaryFolder();
        await using var prometheus = await PrometheusServer.StartAsync(folder, Cancellation);
        await prometheus.WaitAsync("rules", static _ => true, Cancellation);
        var from = TimeProvider.System.GetUtcNow();
        var rates = new ConcurrentDictionary<string, double>(StringComparer.Ordinal);
        await Parallel.ForEachAsync(
            StrategyCatalog.All,
            new ParallelOptions { MaxDegreeOfParallelism = Lanes, CancellationToken = Cancellation },
            async (strategy, cancellationToken) => rates[GetRun(strategy)] = await RunAsync(clients, strategy, prometheus, folder, cancellationToken)
        );
        var range = (from, TimeProvider.System.GetUtcNow());

        // The rate that dashboards show is the one of the result file.
        var shown = await prometheus.QueryAsync(
            "max by (run) (last_over_time(eventhub_measured_events[10m]) / last_over_time(eventhub_measured_seconds[10m]))",
            "run",
            Cancellation
        );
        Assert.Equal(rates.Keys.Order(), shown.Keys.Order());
        Assert.All(rates, rate => Assert.InRange(shown[rate.Key], rate.Value * 0.999, rate.Value * 1.001));

        // The article's irate shows each level: half of the seconds are above and half below, at any single value.
        var levels = await prometheus.QueryAsync(
            "quantile_over_time(0.5, (sum by (run) (irate(processed_messagecounter[4s])) > 0)[10m:1s])",
            "run",
            Cancellation
        );
        Assert.All(rates, rate => Assert.InRange(levels[rate.Key], rate.Value * 0.6, rate.Value * 1.4));

        foreach (var file in new[] { "strategies.json", "run.json" })
        {
            Assert.Empty(await EmptyPanelsAsync(prometheus, file, GetRun(StrategyCatalog.Find("adaptive")), range, static query => !IsOfSender(query)));
        }

        var rules = (await prometheus.AskAsync("rules", Cancellation))["groups"]!.AsArray().SelectMany(static group => group!["rules"]!.AsArray()).ToArray();
        Assert.All(rules, static rule => Assert.Equal("ok", (string?)rule!["health"]));

        // No target is left, so nothing is down.
        await prometheus.WaitAsync("targets", static answer => answer["activeTargets"]!.AsArray().Count == 0, Cancellation);
    }

    [Theory]
    [EachFamily]
    public async Task A_sender_beside_a_run_is_scraped_for_as_long_as_it_sends(string clients)
    {
        using var folder = new TemporaryFolder();
        await using var prometheus = await PrometheusServer.StartAsync(folder, Cancellation);
        await prometheus.WaitAsync("rules", static _ => true, Cancellation);
        var from = TimeProvider.System.GetUtcNow();
        await using var consumer = Programs.Start(
            "consumer",
            $"--clients={clients} --strategy=outloop --run fed --rate 50/s --events 500 --metrics-targets {prometheus.Targets} --metrics-port 0",
            null
        );

        await prometheus.WaitAsync(
            $"query?query={Uri.EscapeDataString("sender_events_total{job=\"sender\",run=\"fed\",outcome=\"acknowledged\"} > 0")}",
            static answer => answer["result"]!.AsArray().Count == 1,
            Cancellation
        );
        var finished = await consumer.EndAsync(Cancellation);
        Assert.True(finished.ExitCode == 0, finished.Error);
        Assert.Empty(await EmptyPanelsAsync(prometheus, "run.json", "fed", (from, TimeProvider.System.GetUtcNow()), IsOfSender));
        await prometheus.WaitAsync("targets", static answer => answer["activeTargets"]!.AsArray().Count == 0, Cancellation);
    }

    [Theory]
    [EachFamily]
    public async Task A_scrape_passes_promtool_except_for_the_five_legacy_names(string clients)
    {
        Peer.Require("promtool");
        var port = FreePort.Next();
        await using var consumer = Programs.Start("consumer", $"--clients={clients} --strategy=baseline --events 300 --metrics-port {port} --linger 10s", null);
        var scrape = await Scrape.ReadAsync(port, Cancellation);
        await using var promtool = RunningProcess.Start(new ProcessCommand("promtool", "check", "metrics"));
        await promtool.WriteAsync(scrape, Cancellation);
        promtool.CloseInput();
        var finished = await promtool.EndAsync(Cancellation);

        string[] complaints =
        [
            .. (finished.Output + finished.Error)
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Where(line => !Legacy.Any(name => line.StartsWith(name + " ", StringComparison.Ordinal))),
        ];
        Assert.Empty(complaints);
        Assert.All(Legacy, name => Assert.Contains($"\n{name}{{", scrape, StringComparison.Ordinal));
    }

    private static string GetRun(StrategyDescriptor strategy) => $"seen-{strategy.Name}";

    // One run by the clock, long enough to be found and scraped. Returns the rate of its result.
    private static async Task<double> RunAsync(
        string clients,
        StrategyDescriptor strategy,
        PrometheusServer prometheus,
        TemporaryFolder folder,
        CancellationToken cancellationToken
    )
    {
        var output = folder.File($"{strategy.Name}.json");

        // The number of the model, and half of it again. Filling a hub with events that are never read would be most of the work.
        var events = (int)(1.5 * SecondsOfRun * GetRate(strategy)) + 200;
        await using var consumer = Programs.Start(
            "consumer",
            $"--clients={clients} --strategy={strategy.Name} {(strategy.IsUnsafe ? "--unsafe" : "")} --run {GetRun(strategy)} --events {events} --keys {Keys} --warm-up 1s --measure {SecondsOfRun - 1}s "
                + $"--metrics-targets {prometheus.Targets} --metrics-port 0 --output {output}",
            null
        );
        var finished = await consumer.EndAsync(cancellationToken, TimeSpan.FromMinutes(3));
        Assert.True(finished.ExitCode == 0, $"{strategy.Name}: {finished.Error}");
        Assert.Contains("metrics: waiting for two scrapes of the last figures", finished.Error, StringComparison.Ordinal);
        return JsonNode.Parse(await File.ReadAllTextAsync(output, cancellationToken))!["throughput"]!["eventsPerS"]!.GetValue<double>();
    }

    private static double GetRate(StrategyDescriptor strategy) =>
        Predictor
            .GetPrediction(
                new ModelSettings
                {
                    Strategy = strategy.Name,
                    Profile = ProfileReader.Of("article"),
                    Keys = Keys,
                }
            )
            ?.EventsPerSecond
        ?? throw new InvalidOperationException($"the model does not know {strategy.Name}");

    private static async Task<IReadOnlyList<string>> EmptyPanelsAsync(
        PrometheusServer prometheus,
        string file,
        string run,
        (DateTimeOffset From, DateTimeOffset To) range,
        Predicate<string> isAsked
    )
    {
        var dashboard = await DashboardQueries.LoadAsync(file, Cancellation);
        var values = file == "run.json" ? new Dictionary<string, string>(DashboardQueries.AnyRun) { ["run"] = run } : DashboardQueries.AnyRun;
        List<string> empty = [];
        var asked = 0;
        foreach (var panel in dashboard.All)
        {
            var query = DashboardQueries.Fill(panel.Expression, values);
            if (!isAsked(query))
            {
                continue;
            }

            asked++;
            if (await prometheus.CountAsync(query, panel.IsInstant ? null : range, Cancellation) == 0)
            {
                empty.Add($"{panel.Panel}: {query}");
            }
        }

        Assert.NotEqual(0, asked);
        foreach (var (name, series, _) in dashboard.Variables)
        {
            if (await prometheus.CountAsync(DashboardQueries.Fill(series, DashboardQueries.AnyRun), range, Cancellation) == 0)
            {
                empty.Add($"${name}: {series}");
            }
        }

        return empty;
    }

    // Only a run with a sender beside it has those, and not every run of the comparison has one.
    private static bool IsOfSender(string query) => query.Contains("job=\"sender\"", StringComparison.Ordinal);
}

/// <summary>Tests that keep both cores of a small machine busy for a minute: beside others they would be slow, and so would those.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
