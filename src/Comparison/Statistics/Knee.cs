namespace EventHubThroughput.Comparison;

/// <summary>
/// The degree from which a rate no longer increases: the curve X(N) = rate of one x min(N, knee). It is fitted to the logarithms of the rates up to the best
/// one and to those within 5 % of it. A service that serves a fixed number of operations concurrently, and queues the rest, has its knee at that number.
/// </summary>
internal static class Knee
{
    private const double PlateauShare = 0.95;
    private const int Parameters = 2;

    /// <summary>Finds the knee.</summary>
    /// <param name="figures">The measurements.</param>
    /// <param name="seed">The seed of the interval.</param>
    /// <returns>
    /// The degree, not rounded. Null with fewer than 8 different degrees, and if no knee is visible: the interval reaches to within 5 % of the largest
    /// degree.
    /// </returns>
    public static FittedValue? Of(IReadOnlyList<DegreeFigure> figures, long seed)
    {
        if (figures.DistinctBy(static figure => figure.Degree).Count() < ScalabilityFit.FewestDegrees)
        {
            return null;
        }

        var best = figures.MaxBy(static figure => figure.Rate)!;
        DegreeFigure[] rising =
        [
            .. figures.Where(figure => figure.Degree <= best.Degree || figure.Rate >= PlateauShare * best.Rate).OrderBy(static figure => figure.Degree),
        ];
        if (rising.Length <= Parameters)
        {
            return null;
        }

        var (knee, rateOfOne) = Fit(rising);
        double[] fitted = [.. rising.Select(figure => rateOfOne * Math.Min(figure.Degree, knee))];
        var found = FittedValue.Of(knee, ResidualBootstrap.Draw(rising, fitted, Parameters, seed).Select(static drawn => Fit(drawn).Knee));
        return found.High95 < PlateauShare * figures.Max(static figure => figure.Degree) ? found : null;
    }

    // For each possible number of points before the knee the least squares are two means.
    private static (double Knee, double RateOfOne) Fit(DegreeFigure[] figures)
    {
        double[] rates = [.. figures.Select(static figure => Math.Log(figure.Rate))];
        double[] degrees = [.. figures.Select(static figure => Math.Log(figure.Degree))];
        var (best, bestSquares) = ((Knee: 0.0, One: 0.0), double.PositiveInfinity);
        for (var before = 1; before <= figures.Length; before++)
        {
            var one = rates.Take(before).Average() - degrees.Take(before).Average();
            var knee = before == figures.Length ? degrees[^1] : Math.Clamp(rates.Skip(before).Average() - one, degrees[before - 1], degrees[before]);
            one = rates.Index().Average(rate => rate.Item - Math.Min(degrees[rate.Index], knee));
            var squares = rates.Index().Sum(rate => Math.Pow(rate.Item - one - Math.Min(degrees[rate.Index], knee), 2));
            if (squares < bestSquares)
            {
                (best, bestSquares) = ((knee, one), squares);
            }
        }

        return (Math.Exp(best.Knee), Math.Exp(best.One));
    }
}
