using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processes;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Article;

/// <summary>The times of a run: how long it is measured, and how often it is scraped.</summary>
internal sealed record ArticleTimes(TimeSpan WarmUp, TimeSpan Measure, TimeSpan Scrape);

/// <summary>One measured run of a strategy.</summary>
/// <param name="Clients">The family of clients.</param>
/// <param name="Scrapes">The scraped values.</param>
/// <param name="Result">The result of the run.</param>
internal sealed record ArticleMeasurement(string Clients, ScrapeSeries Scrapes, RunResult Result);

/// <summary>Runs a strategy on a separate emulator with the article's profile, and scrapes it as the article's Prometheus did.</summary>
internal static class ArticleRun
{
    private const string Endpoint = "metrics: ";

    // The backlog is larger than a run can consume.
    private const double Reserve = 1.2;

    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan EndLimit = TimeSpan.FromMinutes(2);

    /// <exception cref="FailureException">The run failed, or its verdict is not clean.</exception>
    public static async Task<ArticleMeasurement> RunAsync(
        ArticleColumn column,
        string clients,
        ArticleTimes times,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        var strategy = column.Published.Strategy;
        using var results = new TemporaryFile();
        var address = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var consumer = RunningProcess.Start(
            ProcessCommand.OfProgram("consumer", Arguments(strategy, clients, column.Rate, times, results.Path)) with
            {
                TakeError = line => TakeEndpoint(line, address),
                KeptErrors = 10,
                Clock = clock,
            }
        );
        await Task.WhenAny(address.Task, consumer.Ended).WaitAsync(StartLimit, clock, cancellationToken);
        var scrapes = address.Task.IsCompleted ? await ScrapeAsync(await address.Task, times.Scrape, consumer, clock, cancellationToken) : new ScrapeSeries();
        var finished = await consumer.EndAsync(EndLimit, cancellationToken);
        if (finished.ExitCode != 0)
        {
            throw new FailureException(
                FailureCause.Verification,
                $"{strategy} on {clients} clients: exit code {finished.ExitCode}: {string.Join(" | ", consumer.LastErrors())}"
            );
        }

        var result = await ResultJson.ReadRunAsync(results.Path, cancellationToken);
        return result.Safety.Verdict == SafetyVerdict.Clean
            ? new ArticleMeasurement(clients, scrapes, result)
            : throw new FailureException(FailureCause.Verification, $"{strategy} on {clients} clients: not clean: {result.Safety.Line}");
    }

    private static string[] Arguments(string strategy, string clients, double rate, ArticleTimes times, string output) =>
        [
            "--strategy",
            strategy,
            "--clients",
            clients,
            "--profile",
            LatencyProfiles.Article.Name,
            "--events",
            Math.Ceiling(Reserve * rate * (times.WarmUp + times.Measure).TotalSeconds).ToString("0", CultureInfo.InvariantCulture),
            "--warm-up",
            DurationText.Format(times.WarmUp),
            "--measure",
            DurationText.Format(times.Measure),
            "--metrics-port",
            "0",
            "--linger",
            "0s",
            "--output",
            output,
        ];

    private static bool TakeEndpoint(string line, TaskCompletionSource<string> address) =>
        line.StartsWith(Endpoint, StringComparison.Ordinal) && address.TrySetResult(line[Endpoint.Length..]);

    private static async Task<ScrapeSeries> ScrapeAsync(
        string address,
        TimeSpan interval,
        RunningProcess consumer,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        var scrapes = new ScrapeSeries();
        using var client = new HttpClient();
        using var timer = new PeriodicTimer(interval, clock);
        var begin = clock.GetTimestamp();
        while (await NextAsync(timer, consumer, cancellationToken))
        {
            var asked = clock.GetElapsedTime(begin).TotalSeconds;
            try
            {
                scrapes.Add(asked, await client.GetStringAsync(new Uri(address), cancellationToken));
            }
            catch (HttpRequestException)
            {
                // The run is ending. All scrapes have been taken.
            }
        }

        return scrapes;
    }

    private static async Task<bool> NextAsync(PeriodicTimer timer, RunningProcess consumer, CancellationToken cancellationToken)
    {
        var tick = timer.WaitForNextTickAsync(cancellationToken).AsTask();
        return await Task.WhenAny(tick, consumer.Ended) == tick && await tick;
    }
}
