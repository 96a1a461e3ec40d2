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
    public MedianInterval Rate => GetRatio(static cell => cell.MessagesPerS!.Value);

    /// <summary>Its processor time a message by that of the other one, repeat by repeat.</summary>
    public MedianInterval Cpu => GetRatio(static cell => cell.CpuMeanPercent!.Value * cell.Point.Cores / cell.MessagesPerS!.Value);

    /// <summary>The conclusion, with the packages that differ.</summary>
    public string Sentence
    {
        get
        {
            var point = Other[0].Point;
            var few = Rate.Low95 is null ? Text($", an interval needs {MedianInterval.FewestForInterval}") : "";
            return Text(
                $"At {point with { Build = null }} the rate of this build was {Show(Rate)} of that of build {point.Build} ({Difference}). Its processor time a message was {Show(Cpu)} of the other's. {Rate.Count} {(Rate.Count == 1 ? "pair" : "pairs")} of cells{few}."
            );
        }
    }

    private string Difference
    {
        get
        {
            var (present, other) = (Present[0].Program?.Packages ?? [], Other[0].Program?.Packages ?? []);
            return present.SequenceEqual(other, StringComparer.Ordinal)
                ? "the same packages"
                : $"{string.Join(", ", present.Except(other, StringComparer.Ordinal))} against {string.Join(", ", other.Except(present, StringComparer.Ordinal))}";
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

    private MedianInterval GetRatio(Func<MessageCell, double> figure) =>
        MedianInterval.Of([.. Present.Zip(Other, (present, other) => figure(present) / figure(other))], Seed)!;

    private static string Show(MedianInterval ratio) =>
        ratio is { Low95: { } low, High95: { } high } ? Text($"{ratio.Median:0.000} ({low:0.000} to {high:0.000})") : Text($"{ratio.Median:0.000}");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
