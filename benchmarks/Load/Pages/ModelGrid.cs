using System.Globalization;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Load.Pages;

/// <summary>The rate of each strategy and batch by degree, with its share of the model. A share beyond a tenth is bold.</summary>
internal static class ModelGrid
{
    private const string DegreePart = ":degree=";
    private const string BatchPart = ":batch=";
    private const double Near = 0.1;

    /// <param name="result">A comparison of configurations <c>NAME:batch=N:degree=N</c>.</param>
    public static string Render(ComparisonResult result)
    {
        var all = result.Strategies.Select(static one => (Series: GetSeries(one.Label), Degree: GetNumber(one.Label, DegreePart), Strategy: one)).ToList();
        var degrees = all.Select(static one => one.Degree).Distinct().Order().ToList();
        return string.Join(
            '\n',
            [
                $"| | batch | {string.Join(" | ", degrees.Select(static (degree, place) => place == 0 ? $"degree {degree}" : $"{degree}"))} |",
                $"|---|--:|{string.Concat(Enumerable.Repeat("--:|", degrees.Count))}",
                .. all.GroupBy(static one => one.Series, StringComparer.Ordinal)
                    .Select(same =>
                        $"| {same.First().Strategy.Name} | {GetNumber(same.Key, BatchPart)} | {string.Join(" | ", degrees.Select(degree => GetCell(same.FirstOrDefault(one => one.Degree == degree).Strategy)))} |"
                    ),
            ]
        );
    }

    private static string GetCell(ComparedStrategy? strategy)
    {
        if (strategy?.MeasuredToPredicted is not { } share)
        {
            return strategy is null ? "" : "-";
        }

        var text = $"{Figures.Rate(strategy.EventsPerS)}, {share.ToString("0.000", CultureInfo.InvariantCulture)}";
        return Math.Abs(share - 1) > Near ? $"**{text}**" : text;
    }

    private static string GetSeries(string label) => label.IndexOf(DegreePart, StringComparison.Ordinal) is >= 0 and var at ? label[..at] : label;

    private static int GetNumber(string label, string part) =>
        label.IndexOf(part, StringComparison.Ordinal) is >= 0 and var at
            ? int.Parse(string.Concat(label[(at + part.Length)..].TakeWhile(char.IsAsciiDigit)), CultureInfo.InvariantCulture)
            : 0;
}
