using System.Globalization;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Load.Article;

/// <summary>The article's table, row by row: published, predicted and measured.</summary>
internal static class ArticleTable
{
    /// <summary>The allowed difference between model and article, and between measurement and model.</summary>
    private const double NearArticle = 0.065;
    private const double NearModel = 0.05;

    public static IEnumerable<string> Of(IReadOnlyList<ArticleFigures> runs) =>
        [
            Row("", "", runs, static run => run.Published.Strategy),
            $"|---|---|{string.Concat(Enumerable.Repeat("--:|", runs.Count))}",
            Row("events/s, average of `irate`", "article", runs, static run => Number(run.Published.Rate, 2)),
            Row("", "model", runs, static run => Number(run.Rate, 2)),
            Row("", "measured", runs, static run => Number(run.Scrapes.MeanRate, 2)),
            Row("", "model to article", runs, static run => Difference(run.Rate / run.Published.Rate)),
            Row("", "measured to model", runs, static run => Difference(run.Scrapes.MeanRate / run.Rate)),
            .. Gauge("total, ms an event", MetricNames.TotalStopwatch, runs, static run => run.Published.Total, static run => run.Model.Batch),
            .. Gauge("Service Bus, ms", MetricNames.ServiceBusStopwatch, runs, static run => run.Published.Message, static run => run.Model.Message),
            Row("", "all sends: model", runs, static run => Number(run.Model.Message?.Mean, 2)),
            Row("", "all sends: measured", runs, static run => Number(GetMean(run, "servicebus"), 2)),
            .. Gauge("Blob, ms", MetricNames.BlobStorageStopwatch, runs, static run => run.Published.Blob, static run => run.Model.Blob),
            Row("", "all uploads: model", runs, static run => Number(run.Model.Blob?.Mean, 2)),
            Row("", "all uploads: measured", runs, static run => Number(GetMean(run, "blob"), 2)),
            .. Gauge(
                "checkpoint, ms an event",
                MetricNames.CheckpointStopwatch,
                runs,
                static run => run.Published.Checkpoint,
                static run => run.Model.Checkpoint
            ),
            Row("check: 1000 / total by rate", "article", runs, static run => Number(1_000 / run.Published.Total / run.Published.Rate, 3)),
            Row("", "model", runs, static run => Number(1_000 / run.Model.Batch?.Shown / run.Rate, 3)),
            Row("", "measured", runs, static run => Number(1_000 / run.Scrapes.GetMean(MetricNames.TotalStopwatch) / run.Scrapes.MeanRate, 3)),
            Row("scrapes", "measured", runs, static run => Number(run.Scrapes.Count, 0)),
            "",
            $"Model within {NearArticle:P1} of the article: {All(runs, static run => IsNear(run.Rate / run.Published.Rate, NearArticle))}. "
                + $"Measured within {NearModel:P0} of the model: {All(runs, static run => IsNear(run.Scrapes.MeanRate / run.Rate, NearModel))}.",
        ];

    private static double? GetMean(ArticleFigures run, string stage) => run.Result.Stages.GetValueOrDefault(stage)?.MeanMs;

    private static IEnumerable<string> Gauge(
        string title,
        string name,
        IReadOnlyList<ArticleFigures> runs,
        Func<ArticleFigures, double> published,
        Func<ArticleFigures, Model.SimulatedStep?> model
    ) =>
        [
            Row($"{title}, average of the gauge", "article", runs, run => published(run).ToString("0.##", CultureInfo.InvariantCulture)),
            Row("", "model", runs, run => Number(model(run)?.Shown, 2)),
            Row("", "measured", runs, run => Number(run.Scrapes.GetMean(name), 2)),
        ];

    private static bool IsNear(double? ratio, double limit) => Math.Abs(ratio - 1 ?? 1) <= limit;

    private static string All(IReadOnlyList<ArticleFigures> runs, Func<ArticleFigures, bool> holds) =>
        runs.Where(run => !holds(run)).Select(static run => run.Published.Strategy).ToList() is { Count: > 0 } others
            ? $"all but {string.Join(", ", others)}"
            : "all";

    private static string Row(string title, string kind, IReadOnlyList<ArticleFigures> runs, Func<ArticleFigures, string> cell) =>
        $"| {title} | {kind} | {string.Join(" | ", runs.Select(cell))} |";

    private static string Difference(double? ratio) =>
        ratio is { } known ? string.Create(CultureInfo.InvariantCulture, $"{100 * (known - 1):+0.0;-0.0;0.0} %") : "-";

    private static string Number(double? value, int decimals) => value?.ToString($"F{decimals}", CultureInfo.InvariantCulture) ?? "-";
}
