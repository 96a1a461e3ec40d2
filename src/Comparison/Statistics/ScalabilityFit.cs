namespace EventHubThroughput.Comparison;

/// <summary>The law of a sweep, with its uncertainty.</summary>
/// <param name="Law">The best fit.</param>
/// <param name="Lambda">Events per second at degree 1.</param>
/// <param name="Sigma">Contention.</param>
/// <param name="Kappa">Coherence.</param>
/// <param name="BestDegree">
/// The degree with the highest rate by the law. Null if no decline is visible: the interval of kappa includes 0, or this one has no upper end.
/// </param>
internal sealed record ScalabilityFit(ScalabilityLaw Law, FittedValue Lambda, FittedValue Sigma, FittedValue Kappa, FittedValue? BestDegree)
{
    /// <summary>With fewer degrees no law is fitted.</summary>
    public const int FewestDegrees = 8;

    private const int Parameters = 3;

    /// <summary>Whether the sweep has shown that the rate falls at high degrees.</summary>
    public bool SeesDecline => BestDegree is not null;

    /// <summary>Fits the law.</summary>
    /// <param name="figures">The measurements. A degree may occur more than once.</param>
    /// <param name="seed">The seed of the intervals.</param>
    /// <returns>Null with fewer than 8 different degrees.</returns>
    public static ScalabilityFit? Of(IReadOnlyList<DegreeFigure> figures, long seed)
    {
        if (figures.DistinctBy(static figure => figure.Degree).Count() < FewestDegrees)
        {
            return null;
        }

        var law = ScalabilityLaw.Fit(figures);
        ScalabilityLaw[] resampled =
        [
            .. ResidualBootstrap
                .Draw(figures, [.. figures.Select(figure => law.RateAt(figure.Degree))], Parameters, seed)
                .Select(static drawn => ScalabilityLaw.Fit(drawn)),
        ];
        var kappa = FittedValue.Of(law.Kappa, resampled.Select(static one => one.Kappa));
        var best = FittedValue.Of(law.BestDegree, resampled.Select(static one => one.BestDegree));
        return new(
            law,
            FittedValue.Of(law.Lambda, resampled.Select(static one => one.Lambda)),
            FittedValue.Of(law.Sigma, resampled.Select(static one => one.Sigma)),
            kappa,
            kappa.Low95 > 0 && double.IsFinite(best.High95) ? best : null
        );
    }
}
