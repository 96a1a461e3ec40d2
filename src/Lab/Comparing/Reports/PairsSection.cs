using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Every pair of strategies: how often one is faster, by how much, and how certain that is.</summary>
internal static class PairsSection
{
    // The number of rows that a reader looks through. More rows are shown on request.
    private const int MostInSight = 15;

    public static ReportSection Of(ComparisonResult result) =>
        new(
            "pairs",
            "Pairwise comparison",
            [
                "The ratio is the rate of the first divided by that of the second in the same block, as the median over the blocks. p is two-sided Mann-Whitney, with Holm's correction over all pairs.",
                "No difference: the whole interval is close to 1. Not decided: more blocks may decide it. An indication has no interval and is not a result.",
            ],
            [
                result.Pairs.Count == 0
                    ? new XElement("p", new XAttribute("class", "none"), "Fewer than two configurations have a rate. A pair needs two.")
                    : Folded(
                        result.Pairs.Count,
                        ReportTable.Of(
                            "Pairs of configurations, the faster one first",
                            result.Pairs,
                            new ReportColumn<ComparedPair>("first", static pair => pair.First, IsNumber: false),
                            new ReportColumn<ComparedPair>("second", static pair => pair.Second, IsNumber: false),
                            new ReportColumn<ComparedPair>("ratio", static pair => ReportTable.Number(pair.Ratio, Figures.Ratio)),
                            new ReportColumn<ComparedPair>("95 % interval", static pair => ReportTable.Range(pair.Ratio95, Figures.Ratio)),
                            new ReportColumn<ComparedPair>("p", static pair => ReportTable.Number(pair.PHolm, Figures.Probability)),
                            new ReportColumn<ComparedPair>("first faster in", static pair => $"{pair.FasterIn} of {pair.Blocks}"),
                            new ReportColumn<ComparedPair>("conclusion", static pair => pair.Word, IsNumber: false)
                        )
                    ),
            ]
        );

    private static XElement Folded(int pairs, XElement table) =>
        pairs <= MostInSight ? table : new XElement("details", new XElement("summary", $"All {pairs} pairs"), table);
}
