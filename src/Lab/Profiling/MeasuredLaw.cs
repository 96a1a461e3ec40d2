using EventHubThroughput.Lab.Results;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Profiling;

/// <summary>Derives the law of an operation from the times of a stage.</summary>
internal static class MeasuredLaw
{
    /// <summary>With fewer samples the mean is too uncertain.</summary>
    public const int FewestSamples = 50;

    /// <summary>
    /// A law of the same mean and deviation, of the shape whose median is nearer to the one that was measured: a lognormal one has its median at
    /// mean / sqrt(1 + CV²), a gamma one near mean (1 - CV²/9)³ (Wilson and Hilferty).
    /// </summary>
    /// <returns>Null with fewer samples than <see cref="FewestSamples"/>.</returns>
    public static LatencyLaw? Of(StageFigures stage)
    {
        if (stage is not { Count: >= FewestSamples, MeanMs: { } mean, SdMs: { } deviation } || mean <= 0)
        {
            return null;
        }

        var squared = Math.Pow(deviation / mean, 2);
        var lognormal = mean / Math.Sqrt(1 + squared);
        var gamma = mean * Math.Pow(Math.Max(0, 1 - (squared / 9)), 3);
        return new LatencyLaw
        {
            MeanMilliseconds = Rounded(mean),
            DeviationMilliseconds = Rounded(deviation),
            Shape = stage.P50Ms is { } median && Math.Abs(median - gamma) < Math.Abs(median - lognormal) ? DrawShape.Gamma : DrawShape.Lognormal,
        };
    }

    private static double Rounded(double milliseconds) => Math.Round(milliseconds, 3);
}
