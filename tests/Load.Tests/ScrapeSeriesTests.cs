using EventHubThroughput.Load.Article;
using EventHubThroughput.Telemetry;
using Xunit;

namespace EventHubThroughput.Load.Tests;

public sealed class ScrapeSeriesTests
{
    [Fact]
    public void The_rate_is_the_average_of_the_rates_between_two_scrapes()
    {
        var scrapes = new ScrapeSeries();
        scrapes.Add(0, Scrape(measured: 1, events: 100, gauge: 5));
        scrapes.Add(10, Scrape(measured: 11, events: 400, gauge: 20));
        scrapes.Add(30, Scrape(measured: 31, events: 600, gauge: 40));

        Assert.Equal(2, scrapes.Count);
        Assert.Equal((30 + 10) / 2.0, scrapes.MeanRate);
        Assert.Equal(30, scrapes.GetMean(MetricNames.ServiceBusStopwatch));
    }

    [Fact]
    public void Neither_the_warm_up_nor_the_end_is_in_it()
    {
        var scrapes = new ScrapeSeries();
        scrapes.Add(0, Scrape(measured: 0, events: 0, gauge: 900));
        scrapes.Add(10, Scrape(measured: 4, events: 300, gauge: 900));
        scrapes.Add(20, Scrape(measured: 14, events: 1_300, gauge: 30));
        scrapes.Add(30, Scrape(measured: 20, events: 1_400, gauge: 900));
        scrapes.Add(40, Scrape(measured: 20, events: 1_400, gauge: 900));

        Assert.Equal(1, scrapes.Count);
        Assert.Equal(100, scrapes.MeanRate);
        Assert.Equal(30, scrapes.GetMean(MetricNames.ServiceBusStopwatch));
    }

    [Fact]
    public void The_partitions_of_a_counter_are_added_up()
    {
        var scrapes = new ScrapeSeries();
        scrapes.Add(0, Scrape(measured: 1, events: 0, gauge: 1));
        scrapes.Add(10, Scrape(measured: 11, events: 100, gauge: 1) + $"{MetricNames.ProcessedMessageCounter}{{partition=\"1\"}} 50\n");

        Assert.Equal(15, scrapes.MeanRate);
    }

    [Fact]
    public void Fewer_than_two_scrapes_give_no_rate()
    {
        var scrapes = new ScrapeSeries();
        scrapes.Add(0, Scrape(measured: 1, events: 100, gauge: 5));

        Assert.Null(scrapes.MeanRate);
        Assert.Null(scrapes.GetMean(MetricNames.TotalStopwatch));
    }

    private static string Scrape(double measured, double events, double gauge) =>
        FormattableString.Invariant(
            $"""
            # HELP {MetricNames.ProcessedMessageCounter} Completed events.
            # TYPE {MetricNames.ProcessedMessageCounter} counter
            {MetricNames.ProcessedMessageCounter}{"{"}strategy="outloop",partition="0"{"}"} {events}
            {MetricNames.ServiceBusStopwatch}{"{"}strategy="outloop",partition="0"{"}"} {gauge}
            {MetricNames.MeasuredSeconds} {measured}

            """
        );
}
