using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The places of cells in sentences: the label, and the block if there are several.</summary>
internal static class CellPlaces
{
    // With more cells than this, the list of their places is too long to be read.
    private const int MostListed = 8;

    /// <summary>The place of a cell.</summary>
    public static string GetPlace(ComparisonPlan plan, ComparedCell cell) => plan.Repeats == 1 ? cell.Label : Text($"{cell.Label} in block {cell.Block + 1}");

    /// <summary>The places, each with the largest difference from the profile.</summary>
    public static string ListMissed(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells) =>
        string.Join(
            ", ",
            List(
                plan,
                cells,
                static _ => null,
                static some => Text($" ({(some.Count > 1 ? "up to " : "")}{100 * some.Max(static cell => cell.ProfileMissedBy ?? 0):0.0} % off)")
            )
        );

    /// <summary>The places of cells.</summary>
    public static IEnumerable<string> List(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells) => List(plan, cells, static _ => null, static _ => "");

    /// <summary>The place of each cell. With many cells, each label with the number of its cells.</summary>
    /// <param name="plan">The plan of the comparison.</param>
    /// <param name="cells">The cells.</param>
    /// <param name="alike">Cells of one label with the same text may share an entry.</param>
    /// <param name="more">The text after the place or places of an entry.</param>
    public static IEnumerable<string> List(
        ComparisonPlan plan,
        IReadOnlyList<ComparedCell> cells,
        Func<ComparedCell, string?> alike,
        Func<IReadOnlyList<ComparedCell>, string> more
    ) =>
        cells.Count <= MostListed
            ? cells.Select(cell => GetPlace(plan, cell) + more([cell]))
            : cells
                .GroupBy(cell => (cell.Label, alike(cell)))
                .Select(same => (plan.Repeats == 1 ? same.Key.Label : Text($"{same.Key.Label} ({Plural.Format(same.Count(), "cell")})")) + more([.. same]));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
