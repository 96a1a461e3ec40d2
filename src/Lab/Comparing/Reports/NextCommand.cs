using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Modelling;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>What to type next with the fastest strategy: a run of it, and the event pump of a consumer that does the same.</summary>
internal static class NextCommand
{
    /// <summary>The part of the page. Null if the fastest strategy loses events, or if an excluded one may be faster.</summary>
    public static XElement? Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all) =>
        all is [{ Counted: [var cell, ..], Strategy: { Unsafe: null } best }, _, ..]
        && result.Strategies.All(static one => one.Excluded is null)
        && Enum.TryParse<OrderingGuarantee>(best.Order, ignoreCase: true, out var order)
            ? new XElement(
                "div",
                new XAttribute("class", "next"),
                new XElement("p", $"Next, with {best.Label}:"),
                new XElement("pre", new XElement("code", string.Join('\n', GetLines(best.Name, order, cell.Strategy))))
            )
            : null;

    private static IEnumerable<string> GetLines(string name, OrderingGuarantee order, StrategyDetails strategy) =>
        [
            CommandText.Of([
                "run",
                "--strategy",
                name,
                "--degree",
                strategy.Degree.ToString(CultureInfo.InvariantCulture),
                "--batch",
                strategy.BatchMax.ToString(CultureInfo.InvariantCulture),
            ]),
            .. PumpCall.Of(order, strategy.Degree, window: null, strategy.CheckpointEvents),
        ];
}
