using System.Globalization;
using EventHubThroughput.Comparison;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>One point run by the present build and by another one, cell by cell.</summary>
/// <param name="Present">The cells of the present build.</param>
/// <param name="Other">The cells of the other one, in the same order of repeats.</param>
internal sealed record BuildComparison(IReadOnlyList<MessageCell> Present, IReadOnlyList<MessageCell> Other)
{
    // The same cells always give the same interval.
    private const long Seed = 1;

    /// <summary>The rates of the present build by those of the other one, repeat by repeat.</summary>
    public MedianInterval Ratio =>
        MedianInterval.Of([.. Present.Zip(Other, static (present, other) => present.MessagesPerS!.Value / other.MessagesPerS!.Value)], Seed)!;

    /// <summary>The conclusion, with the packages that differ.</summary>
    public string Sentence
    {
        get
        {
            var point = Other[0].Point;
            var where = $"At {point with { Build = null }} the rate was";
            var against = $"that of build {point.Build}{Difference}";
            return Ratio is { Low95: { } low, High95: { } high }
                ? Text(
                    $"{where} {Ratio.Median:0.000} of {against} ({low:0.000} to {high:0.000}, {Ratio.Count} pairs of cells{(low <= 1 && high >= 1 ? ", no difference shown" : "")})."
                )
                : Text(
                    $"{where} {Ratio.Median:0.000} of {against} ({Ratio.Count} of the {MedianInterval.FewestForInterval} pairs of cells that an interval needs)."
                );
        }
    }

    private string Difference
    {
        get
        {
            var (present, other) = (Present[0].Program?.Packages ?? [], Other[0].Program?.Packages ?? []);
            return present.SequenceEqual(other, StringComparer.Ordinal)
                ? ", which has the same packages,"
                : $", {string.Join(", ", present.Except(other, StringComparer.Ordinal))} against {string.Join(", ", other.Except(present, StringComparer.Ordinal))},";
        }
    }

    /// <summary>The points that both builds have run.</summary>
    /// <param name="measured">Cells with a rate.</param>
    public static IReadOnlyList<BuildComparison> Of(IReadOnlyList<MessageCell> measured)
    {
        var present = measured.Where(static cell => cell.Point.Build is null).ToDictionary(static cell => cell.Point);
        return
        [
            .. measured
                .Where(cell => cell.Point.Build is not null && present.ContainsKey(cell.Point with { Build = null }))
                .GroupBy(static cell => cell.Point with { Repeat = 0 })
                .Select(same => new BuildComparison([.. same.Select(cell => present[cell.Point with { Build = null }])], [.. same])),
        ];
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
