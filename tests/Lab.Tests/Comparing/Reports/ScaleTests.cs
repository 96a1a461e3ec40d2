using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class ScaleTests
{
    [Fact]
    public void Begins_at_0_and_ends_at_a_round_number() => Assert.Equal([0, 20, 40, 60, 80, 100], Scale.FromZero([3, 97]).Ticks(6));

    [Fact]
    public void Goes_by_ratios_where_the_least_could_not_be_read()
    {
        Assert.False(Scale.Fitting([30, 300]).IsLog);
        var scale = Scale.Fitting([27.6, 2809]);
        Assert.Equal((true, 20, 5000), (scale.IsLog, scale.Low, scale.High));
        Assert.Equal([100, 1000], scale.Ticks(3));
    }

    [Fact]
    public void A_value_beyond_the_axis_is_drawn_at_its_end() =>
        Assert.Equal(
            (10, 60, 110),
            (
                (Scale.Exactly(0, 10) with { From = 10, To = 110 }).At(-5),
                (Scale.Exactly(0, 10) with { From = 10, To = 110 }).At(5),
                (Scale.Exactly(0, 10) with { From = 10, To = 110 }).At(99)
            )
        );

    [Fact]
    public void Any_values_and_ticks_are_on_the_axis_in_their_order()
    {
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(Gen.Choose(1, 1_000_000_000).Select(static value => value / 1000.0).NonEmptyListOf()),
                static values =>
                {
                    foreach (
                        var scale in new[] { Scale.FromZero(values), Scale.Log(values), Scale.Linear(values.Min(), values.Max() + 1) }.Select(static one =>
                            one with
                            {
                                From = 0,
                                To = 700,
                            }
                        )
                    )
                    {
                        Assert.All(values, value => Assert.InRange(value, scale.Low * (1 - 1e-3), scale.High * (1 + 1e-3)));
                        var places = values.Order().Select(scale.At).ToList();
                        Assert.Equal(places.Order(), places);
                        var ticks = scale.Ticks(6);
                        Assert.InRange(ticks.Count, 2, 16);
                        Assert.All(ticks, tick => Assert.InRange(tick, scale.Low - 1e-6, scale.High * (1 + 1e-6)));
                    }
                }
            )
        );
    }
}
