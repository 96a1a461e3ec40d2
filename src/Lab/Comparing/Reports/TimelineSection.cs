using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Rates over time; of an open loop also how long events took.</summary>
internal static class TimelineSection
{
    private static readonly WindowedFigure Rate = new(
        "events/s",
        "Events a second over the measured time, a line for each strategy",
        static window => window.EventsPerS,
        Figures.Rate
    );

    private static readonly WindowedFigure EndToEnd = new(
        "mean ms since an event was meant to be sent",
        "Mean time of an event from its intended sending over the measured time, a line for each strategy",
        static window => window.EndToEndMs,
        Figures.Ms
    );

    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        List<string> notes =
        [
            "All cells begin at t = 0, the end of their warm-up. The line is the median over the cells not kept apart in each window of time, drawn at its middle; the band reaches from the slowest of them to the fastest.",
            "A line that still rises or falls says that the warm-up was too short, or the measurement.",
        ];
        List<XElement> body = [Rate.Figure(all)];
        List<XElement> numbers = [Rate.Table(all, "slowest", "fastest")];
        if (result.Settings.IsOpenLoop)
        {
            notes.Add("Where the time since events were meant to be sent goes on rising, the strategy falls behind: it is slower than what is sent.");
            body.Add(EndToEnd.Figure(all));
            numbers.Add(EndToEnd.Table(all, "quickest", "slowest"));
        }

        return new ReportSection("time", "Rate over time", notes, [.. body, .. numbers]);
    }
}
