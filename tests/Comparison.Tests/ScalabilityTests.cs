using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class ScalabilityTests(ITestOutputHelper output)
{
    private const int Trials = 25;

    private static readonly int[] Degrees = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512];

    // lambda 100, sigma 0.1, kappa 0.01, computed manually: 400 / (1 + 0.3 + 0.12), 900 / 1.9 - and sqrt(0.9 / 0.01).
    [Fact]
    public void The_law_is_that_of_the_specification()
    {
        var law = new ScalabilityLaw(100, 0.1, 0.01);

        Assert.Equal(100, law.RateAt(1));
        Assert.Equal(400 / 1.42, law.RateAt(4), 9);
        Assert.Equal(Math.Sqrt(90), law.BestDegree, 9);
        Assert.Equal(double.PositiveInfinity, new ScalabilityLaw(100, 0.1, 0).BestDegree);
        Assert.Equal(1, new ScalabilityLaw(100, 1.2, 0.01).BestDegree);
    }

    [Fact]
    public void Finds_the_law_that_figures_without_noise_came_from() =>
        Prop.ForAll(
                (
                    from lambda in Gen.Choose(1, 5000)
                    from sigma in Gen.Choose(0, 300)
                    from kappa in Gen.Choose(0, 1000)
                    select new ScalabilityLaw(lambda, sigma / 1000.0, kappa / 1e6)
                ).ToArbitrary(),
                static law =>
                {
                    var found = ScalabilityLaw.Fit(Measure(law, noise: 0, seed: 0));
                    return Math.Abs((found.Lambda / law.Lambda) - 1) < 1e-6
                        && Math.Abs(found.Sigma - law.Sigma) < 1e-6
                        && Math.Abs(found.Kappa - law.Kappa) < 1e-8;
                }
            )
            .Check(PropertyCases.Usual);

    // Gunther, Guerrilla Capacity Planning (2007), table 5.1 (ray tracer on up to 64 processors): sigma 0.05, kappa 0.000005, no decline within the range.
    [Fact]
    public void Fits_the_printed_ray_tracer()
    {
        int[] processors = [1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64];
        int[] rays = [20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310];

        var fit = ScalabilityFit.Of([.. processors.Zip(rays, static (degree, rate) => new DegreeFigure(degree, rate))], seed: 1)!;
        output.WriteLine(fit.ToString());

        Assert.InRange(fit.Law.Lambda, 19, 23);
        Assert.InRange(fit.Law.Sigma, 0.04, 0.065);
        Assert.InRange(fit.Law.Kappa, 0, 1e-4);
        Assert.False(fit.SeesDecline);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(150)]
    public void Recovers_the_best_degree_of_a_law_through_noise_of_two_percent(int best)
    {
        const double Sigma = 0.02;
        var law = new ScalabilityLaw(100, Sigma, (1 - Sigma) / (best * best));
        var fits = Enumerable.Range(0, Trials).Select(seed => ScalabilityFit.Of(Measure(law, 0.02, seed), seed)!).ToList();
        output.WriteLine(
            $"best {fits.Min(static fit => fit.Law.BestDegree):f1} to {fits.Max(static fit => fit.Law.BestDegree):f1}, held by {fits.Count(Holds)} of {Trials}"
        );

        Assert.All(fits, fit => Assert.InRange(fit.Law.BestDegree / best, 0.9, 1.1));
        Assert.All(fits, static fit => Assert.True(fit.SeesDecline));
        Assert.InRange(fits.Count(Holds), Trials * 85 / 100, Trials);

        bool Holds(ScalabilityFit fit) => fit.BestDegree!.Low95 <= best && best <= fit.BestDegree.High95;
    }

    [Fact]
    public void Sees_no_decline_where_there_is_none()
    {
        var fits = Enumerable.Range(0, Trials).Select(static seed => ScalabilityFit.Of(Measure(new(100, 0.03, 0), 0.02, seed), seed)!).ToList();

        Assert.InRange(fits.Count(static fit => fit.SeesDecline), 0, Trials / 10);
        Assert.All(fits, static fit => Assert.InRange(fit.Kappa.Value, fit.Kappa.Low95, fit.Kappa.High95));
    }

    // At the edge some resamples fall and some do not: an end of the interval at infinity would be no figure.
    [Fact]
    public void A_best_degree_has_an_interval_with_two_ends()
    {
        var best = (
            from step in Enumerable.Range(0, 40)
            from seed in Enumerable.Range(0, Trials)
            let law = new ScalabilityLaw(100, 0.02, step * 2e-7)
            select ScalabilityFit.Of(Measure(law, 0.02, seed), seed)!.BestDegree
        ).ToList();

        Assert.Contains(best, static one => one is null);
        Assert.All(best.OfType<FittedValue>(), static one => Assert.True(double.IsFinite(one.Value) && double.IsFinite(one.High95)));
    }

    [Fact]
    public void Fits_nothing_to_fewer_than_eight_degrees()
    {
        DegreeFigure[] seven = [.. Measure(new(100, 0.1, 0.001), 0.01, 1).Take(7)];

        Assert.Null(ScalabilityFit.Of(seven, seed: 1));
        Assert.Null(ScalabilityFit.Of([.. seven, seven[0]], seed: 1));
        Assert.Null(Knee.Of(seven, seed: 1));
    }

    // As the profiles knee-40 and knee-150 do: 10 ms up to this number concurrently, with a queue above.
    [Theory]
    [InlineData(8)]
    [InlineData(40)]
    [InlineData(150)]
    public void Finds_the_knee_of_a_service_through_noise_of_two_percent(int knee)
    {
        var found = Enumerable.Range(0, Trials).Select(seed => Knee.Of(MeasureRates(degree => 100 * Math.Min(degree, knee), 0.02, seed), seed)!).ToList();
        output.WriteLine($"knee {found.Min(static one => one.Value):f1} to {found.Max(static one => one.Value):f1}, held by {found.Count(Holds)} of {Trials}");

        Assert.All(found, one => Assert.InRange(one.Value / knee, 0.94, 1.06));
        Assert.InRange(found.Count(Holds), Trials * 85 / 100, Trials);

        bool Holds(FittedValue one) => one.Low95 <= knee && knee <= one.High95;
    }

    [Fact]
    public void Finds_no_knee_while_the_rate_grows_with_the_degree() =>
        Assert.All(Enumerable.Range(0, Trials), static seed => Assert.Null(Knee.Of(MeasureRates(static degree => 100 * degree, 0.02, seed), seed)));

    [Fact]
    public void The_fits_know_no_unit_and_depend_on_the_seed_alone() =>
        Assert.All(
            Enumerable.Range(0, 5),
            static seed =>
            {
                var figures = Measure(new(100, 0.02, 1e-4), 0.02, seed);
                DegreeFigure[] scaled = [.. figures.Select(static figure => figure with { Rate = 1000 * figure.Rate })];
                var (fit, other) = (ScalabilityFit.Of(figures, seed)!, ScalabilityFit.Of(scaled, seed)!);

                Assert.Equal(fit, ScalabilityFit.Of(figures, seed));
                Assert.Equal(fit.Kappa.High95, other.Kappa.High95, 9);
                Assert.Equal(1000 * fit.Lambda.Low95, other.Lambda.Low95, 6);
            }
        );

    private static DegreeFigure[] Measure(ScalabilityLaw law, double noise, long seed) => MeasureRates(degree => law.RateAt(degree), noise, seed);

    private static DegreeFigure[] MeasureRates(Func<int, double> rateAt, double noise, long seed)
    {
        var draws = new SeededSequence(seed);
        return [.. Degrees.Select(degree => new DegreeFigure(degree, rateAt(degree) * SimulatedBlocks.Scatter(draws, noise)))];
    }
}
