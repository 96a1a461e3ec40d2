using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Every cell with its own numbers.</summary>
internal static class CellsSection
{
    // A cell has many figures. With more cells than this, the page would have megabytes.
    private const int MostWithAllFigures = 100;

    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var looks = all.ToDictionary(static one => one.Label, StringComparer.Ordinal);
        return new ReportSection(
            "cells",
            "Every cell",
            [
                $"In the order in which they were run. {(HasAll(result) ? "The figures below the table are those of the CSV report" : $"With more than {MostWithAllFigures} cells, all figures are in the CSV report only")}. The JSON file has each result with its histograms.",
            ],
            [
                result.Cells.Count == 0
                    ? new XElement("p", new XAttribute("class", "none"), "No cell was run.")
                    : ReportTable.Of(
                        "Every cell in the order in which it was run",
                        result.Cells,
                        new ReportColumn<ComparedCell>(
                            "strategy",
                            cell => looks.TryGetValue(cell.Label, out var one) ? ReportTable.Name(one) : cell.Label,
                            IsNumber: false
                        ),
                        new ReportColumn<ComparedCell>("block", static cell => ReportTable.Number(cell.Block + 1, Figures.Count)),
                        new ReportColumn<ComparedCell>("place", static cell => ReportTable.Number(cell.OrderInBlock + 1, Figures.Count)),
                        Number("events/s", static cell => cell.Throughput.EventsPerS, Figures.Rate),
                        Number("events", static cell => cell.Throughput.Events, Figures.Count),
                        Number("measured, s", static cell => cell.Time.MeasuredS, Figures.Ratio),
                        Number("p50, ms", static cell => ComparedSeries.Stage(cell, "event")?.P50Ms, Figures.Ms),
                        Number("p99, ms", static cell => ComparedSeries.Stage(cell, "event")?.P99Ms, Figures.Ms),
                        Number("CPU, µs per event", static cell => cell.Resources.Consumer.CpuUsPerEvent, Figures.Count),
                        new ReportColumn<ComparedCell>("off profile", static cell => ReportTable.Number(cell.ProfileMissedBy, Figures.Percent)),
                        new ReportColumn<ComparedCell>(
                            "verdict",
                            static cell => cell.Result is { } own ? StrategiesSection.Badge(own.Safety.Verdict) : Figures.None,
                            IsNumber: false
                        ),
                        new ReportColumn<ComparedCell>("notes", cell => ToBeKnown(result, cell), IsNumber: false)
                    ),
                .. HasAll(result) ? [GetRaw(result)] : Array.Empty<XElement>(),
            ]
        );
    }

    private static bool HasAll(ComparisonResult result) => result.Cells.Count is > 0 and <= MostWithAllFigures;

    /// <summary>Why a cell is excluded, or a note about it.</summary>
    public static string ToBeKnown(ComparisonResult result, ComparedCell cell) =>
        cell.Apart is { } why ? $"excluded: {why}"
        : result.DiscardedBlocks.Contains(cell.Block) ? string.Join("; ", new[] { "block discarded", cell.Mark }.OfType<string>())
        : cell.Mark ?? "";

    // Far wider than paper, where it is left out.
    private static XElement GetRaw(ComparisonResult result) =>
        new(
            "details",
            new XAttribute("class", "raw"),
            new XElement("summary", "All figures of every cell, to the last digit"),
            ReportTable.Of(
                "Every figure of every cell by its name in the CSV report. Blocks and places count from 0",
                result.Cells,
                [
                    .. CellColumns
                        .Names.Concat(CellColumns.Measured)
                        .Select(column => new ReportColumn<ComparedCell>(column.Name, cell => column.Of(result, cell), column.IsNumber)),
                ]
            )
        );

    private static ReportColumn<ComparedCell> Number(string title, Func<RunResult, double?> of, Func<double?, string> form) =>
        new(title, cell => ReportTable.Number(cell.Result is { } result ? of(result) : null, form));
}
