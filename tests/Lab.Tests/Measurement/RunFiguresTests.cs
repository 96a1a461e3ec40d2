using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class RunFiguresTests
{
    [Fact]
    public void A_strategy_that_has_set_no_degree_has_none()
    {
        Assert.Null(Reports.Figures(10).MeanDegreeSet);
        Assert.Null((Reports.Unmeasured with { Degrees = [At(0, "0", 8)] }).MeanDegreeSet);
    }

    [Fact]
    public void The_mean_of_the_degrees_set_is_that_of_the_measured_section()
    {
        // Five seconds after a warm-up of one: 8 for two of them, 20 for three. Events before and after do not count.
        var figures = Reports.Figures(10) with
        {
            WarmUp = TimeSpan.FromSeconds(1),
            Degrees = [At(0, "0", 2), At(0.5, "0", 8), At(3, "0", 20), At(6, "0", 500), At(7, "0", 900)],
        };

        Assert.Equal(((2 * 8) + (3 * 20)) / 5.0, figures.MeanDegreeSet!.Value, 9);
    }

    [Fact]
    public void Partitions_add_up_and_one_that_begins_late_counts_from_the_beginning()
    {
        var figures = Reports.Figures(10) with { Degrees = [At(0, "0", 8), At(2, "1", 3), At(2.5, "0", 4)] };

        Assert.Equal(((2.5 * 8) + (2.5 * 4)) / 5.0 + 3, figures.MeanDegreeSet!.Value, 9);
    }

    private static DegreeChange At(double seconds, string partition, int degree) => new(TimeSpan.FromSeconds(seconds), partition, degree);
}
