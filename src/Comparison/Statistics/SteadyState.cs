using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>Why a run has not settled.</summary>
internal enum UnsettledReason
{
    /// <summary>Fewer windows than the rule looks at.</summary>
    TooFewWindows,

    /// <summary>Nothing was completed in the windows.</summary>
    NothingCompleted,

    /// <summary>The windows rise or fall.</summary>
    Trend,

    /// <summary>The windows scatter more than the run's own batches explain.</summary>
    Scatter,
}

/// <summary>
/// Whether a run has settled, so that measuring may begin: its last 6 windows show no trend (Mann and Kendall, p > 0.1), and their CV is below the
/// larger of 3 % and 1.5 times the CV that the run's own batch times predict for such a window.
/// </summary>
/// <param name="TrendP">The probability of such a trend by chance. Null with too few windows.</param>
/// <param name="Cv">Standard deviation / mean of the last windows. Null with too few, or with nothing completed.</param>
/// <param name="Reason">Why it has not settled, a trend before scatter. Null if it has.</param>
/// <remarks>On <c>article-spread</c> with ten events a batch the windows of baseline truly vary by 6.5 % at 1 s: 3 % alone would never settle.</remarks>
internal sealed record SteadyState(double? TrendP, double? Cv, UnsettledReason? Reason)
{
    /// <summary>How many windows are looked at.</summary>
    public const int Windows = 6;

    private const double LeastP = 0.1;
    private const double LeastCv = 0.03;
    private const double PredictionFactor = 1.5;

    /// <summary>Whether measuring may begin.</summary>
    public bool IsSettled => Reason is null;

    /// <summary>Judges the newest windows.</summary>
    /// <param name="rates">Completed events per second, one for each window of the same length, oldest first.</param>
    /// <param name="predictedCv">What the run's own batch times predict, as a share. Null if nothing is predicted.</param>
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
