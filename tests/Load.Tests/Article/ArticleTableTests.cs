using System.Globalization;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Load.Article;
using EventHubThroughput.Telemetry;
using Xunit;

namespace EventHubThroughput.Load.Tests.Article;

public sealed class ArticleTableTests
{
    [Fact]
    public void Has_the_published_the_predicted_and_the_measured_figure_of_each_family()
    {
        var lines = Table("official", "builtin");

        Assert.Equal("|  |  | baseline | inloop | outloop | combined |", lines[0]);
        Assert.Equal(
            ["article | 31.95 | 43.93 | 115.89 | 120.00", "model | 32.47 | 46.58 | 110.98 | 123.79", "official | 30.00 | 30.00 | 30.00 | 30.00"],
            lines[2..5].Select(AfterTitle)
        );
        Assert.Equal("builtin | 30.00 | 30.00 | 30.00 | 30.00", AfterTitle(lines[5]));
    }

    [Fact]
    public void Adds_the_gauges_of_send_upload_and_checkpoint_and_divides_the_sum_by_the_total()
    {
        var lines = Table("official");

        var sum = lines.FindIndex(static line => line.Contains("sum of the three gauges", StringComparison.Ordinal));
        Assert.Equal("article | 30.34 | 29.65 | 67.00 | 54.00", AfterTitle(lines[sum]));
        Assert.StartsWith("model | 30.00 |", AfterTitle(lines[sum + 1]), StringComparison.Ordinal);
        Assert.Equal("official | 33.00 | 33.00 | 33.00 | 33.00", AfterTitle(lines[sum + 2]));
        Assert.Equal("article | 0.989 | 1.403 | 7.444 | 6.750", AfterTitle(lines[sum + 3]));
        Assert.Equal("official | 1.100 | 1.100 | 1.100 | 1.100", AfterTitle(lines[sum + 5]));
    }

    [Fact]
    public void Names_the_strategies_beyond_a_limit() =>
        Assert.Equal(
            "Model within 6.5 % of the article: all. The official clients within 5 % of the model: all but baseline, inloop, outloop, combined.",
            Table("official")[^1]
        );

    [Fact]
    public void Shows_a_dash_without_scrapes()
    {
        var columns = PublishedRun.All.Select(published => Measure(published, ["official"], static _ => new ScrapeSeries()));

        Assert.Contains("| events/s, average of `irate` | article | 31.95 | 43.93 | 115.89 | 120.00 |", ArticleTable.Of([.. columns]));
        Assert.Contains("|  | official | - | - | - | - |", ArticleTable.Of([.. columns]));
    }

    private static List<string> Table(params string[] clients) =>
        [.. ArticleTable.Of([.. PublishedRun.All.Select(published => Measure(published, clients, static _ => Scrapes()))])];

    private static ArticleColumn Measure(PublishedRun published, string[] clients, Func<string, ScrapeSeries> scrapes) =>
        ArticleColumn.Predict(published) with
        {
            Measured = [.. clients.Select(name => new ArticleMeasurement(name, scrapes(name), ResultDocument.Of(Reports.Of(published.Strategy), "1.2.3")))],
        };

    // 30 events a second. A send of 20 ms, an upload of 10 ms and a checkpoint of 3 ms an event, and a total of 30 ms.
    private static ScrapeSeries Scrapes()
    {
        var series = new ScrapeSeries();
        for (var second = 10; second <= 30; second += 10)
        {
            series.Add(
                second,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{MetricNames.MeasuredSeconds} {second}\n{MetricNames.ProcessedMessageCounter} {30 * second}\n{MetricNames.TotalStopwatch} 30\n{MetricNames.ServiceBusStopwatch} 20\n{MetricNames.BlobStorageStopwatch} 10\n{MetricNames.CheckpointStopwatch} 3\n"
                )
            );
        }

        return series;
    }

    private static string AfterTitle(string line) => string.Join(" | ", line.Trim('|', ' ').Split(" | ").SkipWhile(static cell => !IsKind(cell)));

    private static bool IsKind(string cell) => cell.Trim(' ', '|') is "article" or "model" or "official" or "builtin";
}
