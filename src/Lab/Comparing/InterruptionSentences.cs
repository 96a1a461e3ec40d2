using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>An interrupted comparison in sentences: what is finished, what is not, and what is run again.</summary>
internal static class InterruptionSentences
{
    /// <param name="plan">The plan of the comparison.</param>
    /// <param name="cells">The finished cells, those of an earlier part included.</param>
    public static IReadOnlyList<string> Of(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells)
    {
        var last = cells.Count == 0 ? [] : cells.Where(cell => cell.Block == cells.Max(static one => one.Block)).ToList();
        var begun = last.Count < plan.CellsOfBlock ? last : [];
        var block =
            last.Count == 0 ? 0
            : begun.Count > 0 ? last[0].Block
            : last[0].Block + 1;
        var whole = (cells.Count - begun.Count) / plan.CellsOfBlock;
        var planned = Math.Max(plan.Repeats, whole + 1) * plan.CellsOfBlock;
        var open = BlockOrder
            .Of(plan.Configurations.Select(static configuration => configuration.Label), plan.Reference.Label, plan.Seed, block)
            .Skip(begun.Count)
            .ToList();
        return
        [
            Text(
                $"Interrupted: {cells.Count} of {Plural.Format(planned, "cell")} {(cells.Count == 1 ? "is" : "are")} finished{List(begun.Count > 0 && whole == 0 ? begun.Select(static cell => cell.Label) : [])}. Not finished{(plan.Repeats > 1 ? Text($" in block {block + 1}") : "")}: {string.Join(", ", open)}."
            ),
            .. begun.Count > 0
                ? new[]
                {
                    Text($"--resume runs the whole block again, because {Plural.Format(begun.Count, "cell")} of it cannot be compared with later cells."),
                }
                : [],
        ];
    }

    private static string List(IEnumerable<string> labels) => string.Join(", ", labels) is { Length: > 0 } text ? $" ({text})" : "";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
