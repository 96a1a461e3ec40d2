using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Rates over time. Of an open loop also how long events took.</summary>
internal static class TimelineSection
{
    private static readonly WindowedFigure Rate = new(
        "events/s",
        "Events a second over the measured time, a line for each strategy",
        static window => window.EventsPerS,
        Figures.Rate
    );

    private static readonly WindowedFigure EndToEnd = new(
        "mean ms since the scheduled send time",
        "Mean time of an event since its scheduled send time over the measured time, a line for each strategy",
        static window => window.EndToEndMs,
        Figures.Ms
    );

    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        List<string> notes =
        [
            "All cells begin at t = 0, the end of their warm-up. The line is the median over the cells that are not excluded in each window, drawn at its middle. The band is their range.",
            "A line that still rises or falls shows that the warm-up or the measurement was too short.",
        ];
        List<XElement> body = [Rate.Figure(all)];
        List<XElement> numbers = [Rate.Table(all, "slowest", "fastest")];
        if (result.Settings.IsOpenLoop)
        {
            notes.Add("Where the time since the scheduled send time keeps rising, the lag grows: the strategy is slower than the input.");
            body.Add(EndToEnd.Figure(all));
            numbers.Add(EndToEnd.Table(all, "quickest", "slowest"));
        }

        return new ReportSection("time", "Rate over time", notes, [.. body, .. numbers]);
    }
}
