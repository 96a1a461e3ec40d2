using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>Why a degree that is fast enough is not recommended.</summary>
internal enum PassedOverReason
{
    /// <summary>Its slowest hundredth takes more than 1.5 times as long as at half of it.</summary>
    SlowTail,

    /// <summary>Its own 99th percentile, or that at half of it, is not known.</summary>
    UnknownTail,
}

/// <summary>A degree that was passed over.</summary>
/// <param name="Degree">The degree.</param>
/// <param name="Reason">Why.</param>
/// <param name="HalfDegree">The degree that it was compared with. Null if none as small was measured.</param>
/// <param name="TailRatio">Its 99th percentile / that at <paramref name="HalfDegree"/>. Null if either is not known.</param>
internal sealed record PassedOver(int Degree, PassedOverReason Reason, int? HalfDegree, double? TailRatio);

/// <summary>
/// The degree to use: the smallest within 5 % of the best measured rate whose 99th percentile is low enough. It must be at most 1.5 times that at half the
/// degree, or at the nearest smaller degree that was measured.
/// </summary>
/// <param name="Best">The degree with the highest measured rate.</param>
/// <param name="Recommended">The degree to use. Null if every degree that is fast enough was passed over.</param>
/// <param name="TailRatio">
/// The recommended degree's 99th percentile / that at half of it. Null if nothing as small as half was measured, which does not exclude the smallest degrees.
/// </param>
/// <param name="PassedOver">The smaller degrees that are fast enough, smallest first.</param>
internal sealed record DegreeChoice(int Best, int? Recommended, double? TailRatio, IReadOnlyList<PassedOver> PassedOver)
{
    /// <summary>The least share of the best rate that is fast enough.</summary>
    public const double LeastShare = 0.95;

    /// <summary>How much slower the slowest hundredth may be than at half the degree.</summary>
    public const double MostTailRatio = 1.5;

    /// <summary>Chooses.</summary>
    /// <param name="figures">The measurements, in any order. For a degree that was measured more than once the medians count.</param>
    /// <returns>Null if there are no figures.</returns>
    public static DegreeChoice? Of(IReadOnlyList<DegreeFigure> figures)
    {
        DegreeFigure[] degrees = [.. figures.GroupBy(static figure => figure.Degree).Select(GetMedian).OrderBy(static figure => figure.Degree)];
        if (degrees.Length == 0)
        {
            return null;
        }

        var best = degrees.MaxBy(static figure => figure.Rate)!;
        var passedOver = new List<PassedOver>();
        foreach (var candidate in degrees.Where(figure => figure.Rate >= LeastShare * best.Rate))
        {
            var half = degrees.LastOrDefault(figure => 2 * figure.Degree <= candidate.Degree);
            var tailRatio = candidate.P99Ms / half?.P99Ms;
            if (half is null || tailRatio <= MostTailRatio)
            {
                return new(best.Degree, candidate.Degree, tailRatio, passedOver);
            }

            passedOver.Add(new(candidate.Degree, tailRatio is null ? PassedOverReason.UnknownTail : PassedOverReason.SlowTail, half.Degree, tailRatio));
        }

        return new(best.Degree, null, null, passedOver);
    }

    private static DegreeFigure GetMedian(IGrouping<int, DegreeFigure> runs)
    {
        double[] tails = [.. runs.Select(static run => run.P99Ms).OfType<double>()];
        return new(runs.Key, runs.Select(static run => run.Rate).Median(), tails.Length == runs.Count() ? tails.Median() : null);
    }
}
