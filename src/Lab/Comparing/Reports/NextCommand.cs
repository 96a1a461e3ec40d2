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
        all is [{ Counted: [var cell, ..], Strategy: { Unsafe: null } best }, ..]
        && (all.Count > 1 || result.Sweep is not null)
        && result.Strategies.All(static one => one.Excluded is null)
        && Enum.TryParse<OrderingGuarantee>(best.Order, ignoreCase: true, out var order)
            ? new XElement(
                "div",
                new XAttribute("class", "next"),
                new XElement("p", $"Next, with {best.Label}:"),
                new XElement("pre", new XElement("code", HasOwnWrites(result) ? [] : GetCommand(best.Name, cell.Strategy), GetCall(order, cell.Strategy)))
            )
            : null;

    // A run has neither the handlers nor the described writes of a comparison.
    private static bool HasOwnWrites(ComparisonResult result) =>
        result.Comparison.Arguments.Any(static argument => argument.Split('=')[0] is "--handler" or "--write");

    // A line does not end within an option.
    private static IEnumerable<object> GetCommand(string name, StrategyDetails strategy) =>
        CommandText
            .Of([
                "run",
                "--strategy",
                name,
                "--degree",
                strategy.Degree.ToString(CultureInfo.InvariantCulture),
                "--batch",
                strategy.BatchMax.ToString(CultureInfo.InvariantCulture),
            ])
            .Split(" --")
            .SelectMany(
                static (part, place) => place == 0 ? new object[] { part } : [" ", new XElement("span", new XAttribute("class", "option"), $"--{part}")]
            )
            .Append("\n");

    private static string GetCall(OrderingGuarantee order, StrategyDetails strategy) =>
        string.Join('\n', PumpCall.Of(order, strategy.Degree, window: null, strategy.CheckpointEvents));
}
