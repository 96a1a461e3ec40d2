using System.Globalization;
using EventHubThroughput.Model;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Load.Article;

/// <summary>The article's table, row by row: published, predicted, and measured with each family of clients.</summary>
internal static class ArticleTable
{
    /// <summary>The allowed difference between model and article, and between measurement and model.</summary>
    private const double NearArticle = 0.065;
    private const double NearModel = 0.05;

    private static readonly string[] Parts = [MetricNames.ServiceBusStopwatch, MetricNames.BlobStorageStopwatch, MetricNames.CheckpointStopwatch];

    /// <param name="columns">At least one, each with the same families.</param>
    public static IEnumerable<string> Of(IReadOnlyList<ArticleColumn> columns)
    {
        string[] clients = [.. columns[0].Measured.Select(static run => run.Clients)];
        return
        [
            Row("", "", columns, static column => column.Published.Strategy),
            $"|---|---|{string.Concat(Enumerable.Repeat("--:|", columns.Count))}",
            .. Rows("events/s, average of `irate`", static article => article.Rate, static column => column.Rate, static run => run.Scrapes.MeanRate, 2),
            Row("", "model to article", columns, static column => Difference(column.Rate / column.Published.Rate)),
            .. clients.Select(
                (name, place) => Row("", $"{name} to model", columns, column => Difference(column.Measured[place].Scrapes.MeanRate / column.Rate))
            ),
            .. Gauge("total, ms an event", MetricNames.TotalStopwatch, static article => article.Total, static model => model.Batch),
            .. Gauge("Service Bus, ms", MetricNames.ServiceBusStopwatch, static article => article.Message, static model => model.Message),
            .. Rows("all sends, mean ms", null, static column => column.Model.Message?.Mean, static run => GetMean(run, "servicebus"), 2),
            .. Gauge("Blob, ms", MetricNames.BlobStorageStopwatch, static article => article.Blob, static model => model.Blob),
            .. Rows("all uploads, mean ms", null, static column => column.Model.Blob?.Mean, static run => GetMean(run, "blob"), 2),
            .. Gauge("checkpoint, ms an event", MetricNames.CheckpointStopwatch, static article => article.Checkpoint, static model => model.Checkpoint),
            .. Rows(
                "sum of the three gauges, ms an event",
                static article => article.Message + article.Blob + article.Checkpoint,
                static column => column.Model.Message?.Shown + column.Model.Blob?.Shown + column.Model.Checkpoint?.Shown,
                static run => Parts.Sum(run.Scrapes.GetMean),
                2
            ),
            .. Rows(
                "sum to total",
                static article => (article.Message + article.Blob + article.Checkpoint) / article.Total,
                static column => (column.Model.Message?.Shown + column.Model.Blob?.Shown + column.Model.Checkpoint?.Shown) / column.Model.Batch?.Shown,
                static run => Parts.Sum(run.Scrapes.GetMean) / run.Scrapes.GetMean(MetricNames.TotalStopwatch),
                3
            ),
            .. Rows(
                "check: 1000 / total by rate",
                static article => 1_000 / article.Total / article.Rate,
                static column => 1_000 / column.Model.Batch?.Shown / column.Rate,
                static run => 1_000 / run.Scrapes.GetMean(MetricNames.TotalStopwatch) / run.Scrapes.MeanRate,
                3
            ),
            .. Rows("scrapes", null, null, static run => run.Scrapes.Count, 0),
            "",
            $"Model within {NearArticle:P1} of the article: {All(columns, static column => column.Rate / column.Published.Rate, NearArticle)}. "
                + string.Join(
                    ' ',
                    clients.Select(
                        (name, place) =>
                            $"The {name} clients within {NearModel:P0} of the model: "
                            + $"{All(columns, column => column.Measured[place].Scrapes.MeanRate / column.Rate, NearModel)}."
                    )
                ),
        ];

        // A row for each figure that exists: the article's, the model's, and one for each family.
        IEnumerable<string> Rows(
            string title,
            Func<PublishedRun, double?>? article,
            Func<ArticleColumn, double?>? model,
            Func<ArticleMeasurement, double?> measured,
            int decimals
        )
        {
            if (article is not null)
            {
                yield return Row(title, "article", columns, column => Number(article(column.Published), decimals));
            }

            if (model is not null)
            {
                yield return Row(article is null ? title : "", "model", columns, column => Number(model(column), decimals));
            }

            foreach (var (place, name) in clients.Index())
            {
                var isFirst = place == 0 && article is null && model is null;
                yield return Row(isFirst ? title : "", name, columns, column => Number(measured(column.Measured[place]), decimals));
            }
        }

        IEnumerable<string> Gauge(string title, string name, Func<PublishedRun, double> article, Func<SimulatedFigures, SimulatedStep?> model) =>
            [
                Row($"{title}, average of the gauge", "article", columns, column => article(column.Published).ToString("0.##", CultureInfo.InvariantCulture)),
                .. Rows("", null, column => model(column.Model)?.Shown, run => run.Scrapes.GetMean(name), 2),
            ];
    }

    private static double? GetMean(ArticleMeasurement run, string stage) => run.Result.Stages.GetValueOrDefault(stage)?.MeanMs;

    private static string All(IReadOnlyList<ArticleColumn> columns, Func<ArticleColumn, double?> ratio, double limit) =>
        columns.Where(column => !(Math.Abs(ratio(column) - 1 ?? 1) <= limit)).Select(static column => column.Published.Strategy).ToList()
            is { Count: > 0 } others
            ? $"all but {string.Join(", ", others)}"
            : "all";

    private static string Row(string title, string kind, IReadOnlyList<ArticleColumn> columns, Func<ArticleColumn, string> cell) =>
        $"| {title} | {kind} | {string.Join(" | ", columns.Select(cell))} |";

    private static string Difference(double? ratio) =>
        ratio is { } known ? string.Create(CultureInfo.InvariantCulture, $"{100 * (known - 1):+0.0;-0.0;0.0} %") : "-";

    private static string Number(double? value, int decimals) => value?.ToString($"F{decimals}", CultureInfo.InvariantCulture) ?? "-";
}
