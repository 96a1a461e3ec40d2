using System.Globalization;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>The parts of an event of baseline in docs/results/article.md against the figures of the measurement in the same page.</summary>
public sealed class ArticlePageTests
{
    private static readonly string Page = Document.Read("docs", "results", "article.md");

    // The wait for the next batch: 8 ms for ten events.
    private const double ModelOfNextBatch = 0.8;

    public static TheoryData<string, double, double> Parts
    {
        get
        {
            var (send, upload, checkpoint) = (Gauge("Service Bus, ms"), Gauge("Blob, ms"), Gauge("checkpoint, ms an event"));
            var (total, sum) = (Gauge("total, ms an event"), FiguresAfter("| sum of the three gauges"));
            var byRate = 1_000 / FiguresAfter("| events/s").Official;
            return new()
            {
                { "send to Service Bus", send.Model, send.Official },
                { "upload of the blob", upload.Model, upload.Official },
                { "checkpoint", checkpoint.Model, checkpoint.Official },
                { "between these three: total, less their sum", total.Model - sum.Model, total.Official - sum.Official },
                { "next batch: time by the rate, less the total", ModelOfNextBatch, byRate - total.Official },
            };
        }
    }

    [Theory]
    [MemberData(nameof(Parts))]
    public void A_part_of_an_event_is_that_of_the_measurement(string part, double model, double measured)
    {
        var time = 1_000 / FiguresAfter("| events/s").Model;

        Assert.Equal(
            [Text(model, "0.00"), Text(measured, "0.00"), Text(measured - model, "0.00"), Text(100 * (measured - model) / time, "0.0") + " %"],
            Document.Rows(Page, part)[0]
        );
    }

    private static (double Model, double Official) Gauge(string title) => FiguresAfter($"| {title}, average of the gauge");

    // The first column is baseline. The rows after a title are article, model and official clients.
    private static (double Model, double Official) FiguresAfter(string title)
    {
        var rows = Page.Split('\n').SkipWhile(line => !line.StartsWith(title, StringComparison.Ordinal)).Take(5).ToList();
        return (Baseline("model"), Baseline("official"));

        double Baseline(string kind) =>
            double.Parse(rows.First(row => row.StartsWith($"|  | {kind} | ", StringComparison.Ordinal)).Split('|')[3], CultureInfo.InvariantCulture);
    }

    private static string Text(double figure, string format) => figure.ToString(format, CultureInfo.InvariantCulture);
}
