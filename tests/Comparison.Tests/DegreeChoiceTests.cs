using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class DegreeChoiceTests
{
    [Fact]
    public void Recommends_the_smallest_degree_within_five_percent_of_the_best()
    {
        var choice = DegreeChoice.Of([new(8, 500, 20), new(16, 940, 20), new(32, 950, 25), new(64, 1000, 26), new(128, 990, 30)])!;

        Assert.Equal((64, 32), (choice.Best, choice.Recommended!.Value));
        Assert.Equal(1.25, choice.TailRatio);
        Assert.Empty(choice.PassedOver);
    }

    [Fact]
    public void A_degree_whose_slowest_hundredth_grew_is_passed_over_with_the_reason()
    {
        var choice = DegreeChoice.Of([new(16, 500, 20), new(32, 960, 31), new(64, 1000, 46.5), new(128, 990, 70)])!;

        Assert.Equal(64, choice.Recommended);
        Assert.Equal([new PassedOver(32, PassedOverReason.SlowTail, 16, 1.55)], choice.PassedOver);
    }

    [Fact]
    public void Recommends_nothing_where_every_tail_grew()
    {
        var choice = DegreeChoice.Of([new(16, 500, 20), new(32, 960, 40), new(64, 1000, 80)])!;

        Assert.Null(choice.Recommended);
        Assert.Equal([32, 64], choice.PassedOver.Select(static one => one.Degree));
        Assert.Equal(64, choice.Best);
    }

    [Fact]
    public void An_unknown_tail_is_not_accepted_as_a_good_tail() =>
        Assert.Equal(
            [new PassedOver(32, PassedOverReason.UnknownTail, 16, null), new PassedOver(64, PassedOverReason.UnknownTail, 32, null)],
            DegreeChoice.Of([new(16, 500, 20), new(32, 960), new(64, 1000, 30)])!.PassedOver
        );

    [Theory]
    [InlineData(24, 48, 24)]
    [InlineData(20, 48, 20)]
    [InlineData(25, 48, 12)]
    public void Holds_a_degree_against_the_nearest_one_of_at_most_half(int smaller, int degree, int half)
    {
        var choice = DegreeChoice.Of([new(12, 100, 10), new(smaller, 500, 10), new(degree, 1000, 100)])!;

        Assert.Equal([new PassedOver(degree, PassedOverReason.SlowTail, half, 10)], choice.PassedOver);
    }

    [Fact]
    public void No_finding_excludes_the_smallest_degree() =>
        Assert.Equal(
            (1, (double?)null),
            (DegreeChoice.Of([new(1, 1000, 10), new(2, 1000, 20)])!.Recommended!.Value, DegreeChoice.Of([new(1, 1000, 10)])!.TailRatio)
        );

    [Fact]
    public void Degree_measured_several_times_counts_with_its_medians() =>
        Assert.Equal(2, DegreeChoice.Of([new(1, 10, 1), new(1, 900, 1), new(1, 12, 1), new(2, 100, 1), new(2, 90, 1)])!.Recommended);

    [Fact]
    public void No_degree_is_chosen_without_measurements() => Assert.Null(DegreeChoice.Of([]));
}
