using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>Why a run is not steady.</summary>
internal enum UnsettledReason
{
    /// <summary>Fewer windows than the rule needs.</summary>
    TooFewWindows,

    /// <summary>No event was completed in the windows.</summary>
    NothingCompleted,

    /// <summary>The windows increase or decrease.</summary>
    Trend,

    /// <summary>The windows scatter more than the run's own batches explain.</summary>
    Scatter,
}

/// <summary>
/// Whether a run is steady, so that measuring may begin. Its last 6 windows must show no trend (Mann and Kendall, p > 0.1). Their CV must be below the larger
/// of 3 % and 1.5 times the CV that the run's batch times predict for such a window.
/// </summary>
/// <param name="TrendP">The probability of such a trend by chance. Null with too few windows.</param>
/// <param name="Cv">Standard deviation / mean of the last windows. Null with too few, or with nothing completed.</param>
/// <param name="Reason">Why it is not steady, a trend before scatter. Null if it is.</param>
/// <remarks>On <c>article-spread</c> with ten events a batch the windows of baseline truly vary by 6.5 % at 1 s: 3 % alone would never be reached.</remarks>
internal sealed record SteadyState(double? TrendP, double? Cv, UnsettledReason? Reason)
{
    /// <summary>How many windows the rule uses.</summary>
    public const int Windows = 6;

    private const double LeastP = 0.1;
    private const double LeastCv = 0.03;
    private const double PredictionFactor = 1.5;

    /// <summary>Whether measuring may begin.</summary>
    public bool IsSettled => Reason is null;

    /// <summary>Judges the newest windows.</summary>
    /// <param name="rates">Completed events per second, one for each window of the same length, oldest first.</param>
    /// <param name="predictedCv">The prediction from the run's batch times, as a share. Null if there is none.</param>
    public static SteadyState Of(IReadOnlyList<double> rates, double? predictedCv)
    {
        if (rates.Count < Windows)
        {
            return new(null, null, UnsettledReason.TooFewWindows);
        }

        double[] last = [.. rates.Skip(rates.Count - Windows)];
        var trendP = MannKendall.TwoSidedP(last);
        var mean = last.Mean();
        if (mean <= 0)
        {
            return new(trendP, null, UnsettledReason.NothingCompleted);
        }

        var cv = last.StandardDeviation() / mean;
        return new(
            trendP,
            cv,
            trendP <= LeastP ? UnsettledReason.Trend
                : cv >= Math.Max(LeastCv, PredictionFactor * (predictedCv ?? 0)) ? UnsettledReason.Scatter
                : null
        );
    }
}
