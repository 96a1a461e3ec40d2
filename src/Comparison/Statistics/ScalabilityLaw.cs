using MathNet.Numerics.LinearRegression;

namespace EventHubThroughput.Comparison;

/// <summary>
/// The universal scalability law (Gunther 1993): at degree N the rate is X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)).
/// </summary>
/// <param name="Lambda">Events per second at degree 1, above 0.</param>
/// <param name="Sigma">The share of an event's time in which it waits for its turn (contention), from 0.</param>
/// <param name="Kappa">The additional cost of each pair of events in flight (coherence), from 0. With it the rate decreases at high degrees.</param>
internal readonly record struct ScalabilityLaw(double Lambda, double Sigma, double Kappa)
{
    /// <summary>Events per second at a degree.</summary>
    public double RateAt(double degree) => Lambda * degree / (1 + (Sigma * (degree - 1)) + (Kappa * degree * (degree - 1)));

    /// <summary>The degree with the highest rate, sqrt((1 - sigma) / kappa), at least 1. Infinite if the rate never decreases.</summary>
    public double BestDegree =>
        Sigma >= 1 ? 1
        : Kappa <= 0 ? double.PositiveInfinity
        : Math.Max(1, Math.Sqrt((1 - Sigma) / Kappa));

    /// <summary>
    /// The law with the smallest sum of squares of measured rate / rate of the law - 1. Divided by N the law is linear in 1 / lambda, sigma / lambda and
    /// kappa / lambda. So the least squares need no first guess and no iteration. If they give a negative sigma or kappa, the result is the best law with
    /// that parameter at 0. The method of Levenberg and Marquardt in MathNet finds the same law from a good first guess in five times the time. From a bad
    /// guess it finds another one.
    /// </summary>
    /// <param name="figures">The measurements, at three different degrees at least.</param>
    public static ScalabilityLaw Fit(IReadOnlyList<DegreeFigure> figures)
    {
        var whole = FitTerms(figures, hasSigma: true, hasKappa: true);
        if (whole.IsPossible)
        {
            return whole.Law;
        }

        return new[] { (true, false), (false, true), (false, false) }
            .Select(terms => FitTerms(figures, terms.Item1, terms.Item2))
            .Where(static fit => fit.IsPossible)
            .MinBy(fit => SumSquares(fit.Law, figures))
            .Law;
    }

    private static (ScalabilityLaw Law, bool IsPossible) FitTerms(IReadOnlyList<DegreeFigure> figures, bool hasSigma, bool hasKappa)
    {
        // Each row times rate / N: the right side becomes 1, and a residual is a share of the rate.
        double[][] rows = [.. figures.Select(figure => GetRow(figure.Degree, figure.Rate / figure.Degree, hasSigma, hasKappa))];
        double[] ones = [.. figures.Select(static _ => 1.0)];
        var found = MultipleRegression.QR(rows, ones);
        var (inverse, sigma, kappa) = (found[0], hasSigma ? found[1] : 0, hasKappa ? found[^1] : 0);
        return (new(1 / inverse, sigma / inverse, kappa / inverse), inverse > 0 && sigma >= 0 && kappa >= 0);
    }

    private static double[] GetRow(double degree, double weight, bool hasSigma, bool hasKappa) =>
        [weight, .. hasSigma ? [weight * (degree - 1)] : Array.Empty<double>(), .. hasKappa ? [weight * degree * (degree - 1)] : Array.Empty<double>()];

    private static double SumSquares(ScalabilityLaw law, IEnumerable<DegreeFigure> figures) =>
        figures.Sum(figure => Math.Pow((figure.Rate / law.RateAt(figure.Degree)) - 1, 2));
}
