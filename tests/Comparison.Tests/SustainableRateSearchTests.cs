using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using MathNet.Numerics.Statistics;
using Xunit;

namespace EventHubThroughput.Comparison.Tests;

/// <summary>The search for the largest rate that is kept, held against services whose largest rate is known.</summary>
public sealed class SustainableRateSearchTests
{
    [Fact]
    public void Finds_any_rate_from_any_guess_within_its_precision() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Gen.Choose(0, 5000).Two().ToArbitrary(),
                static places =>
                {
                    var (capacity, guess) = (Math.Pow(10, places.Item1 / 1000.0), Math.Pow(10, places.Item2 / 1000.0));
                    var search = Run(new(guess, 0.1, 1e6), rate => rate <= capacity ? RateOutcome.Kept : RateOutcome.FellBehind);

                    return search.End == RateSearchEnd.Found
                        && search.Kept <= capacity
                        && search.NotKept > capacity
                        && search.NotKept <= search.Kept * SustainableRateSearch.Precision;
                }
            )
        );

    [Theory]
    [InlineData(3, true)]
    [InlineData(2, false)]
    [InlineData(1, false)]
    public void A_run_that_contradicts_the_others_is_outvoted(int lying, bool keeps)
    {
        var run = 0;
        var search = Run(new(80, 1, 1e6), rate => (++run == lying ? keeps : rate <= 100) ? RateOutcome.Kept : RateOutcome.FellBehind);

        Assert.Equal(RateSearchEnd.Found, search.End);
        Assert.InRange(search.Kept!.Value, 100 / SustainableRateSearch.Precision, 100);
    }

    [Fact]
    public void Both_ends_are_tried_twice()
    {
        List<double> rates = [];
        var search = Run(
            new(96, 1, 1e6),
            rate =>
            {
                rates.Add(rate);
                return rate <= 100 ? RateOutcome.Kept : RateOutcome.FellBehind;
            }
        );

        Assert.Equal((2, 2), (rates.Count(rate => rate == search.Kept), rates.Count(rate => rate == search.NotKept)));
        Assert.InRange(rates.Count, 4, 10);
    }

    [Fact]
    public void A_rate_that_cannot_be_sent_bounds_the_search_and_is_not_a_rate_of_the_strategy()
    {
        var search = Run(new(80, 1, 1e6), static rate => rate > 250 ? RateOutcome.SentTooSlowly : RateOutcome.Kept);

        Assert.Equal(RateSearchEnd.InputBound, search.End);
        Assert.InRange(search.Kept!.Value, 250 / SustainableRateSearch.Precision, 250);
    }

    [Fact]
    public void A_strategy_that_keeps_the_largest_rate_is_bound_by_it()
    {
        var search = Run(new(80, 1, 1000), static _ => RateOutcome.Kept);

        Assert.Equal((RateSearchEnd.InputBound, 1000), (search.End, search.Kept));
        Assert.Null(search.NotKept);
    }

    [Fact]
    public void A_strategy_that_keeps_not_even_the_least_rate_has_none()
    {
        var search = Run(new(80, 7.4999, 1000), static _ => RateOutcome.FellBehind);

        Assert.Equal((RateSearchEnd.NoneKept, null, 7.5), (search.End, search.Kept, search.NotKept));
    }

    [Fact]
    public void An_unusable_run_is_repeated_and_a_second_one_ends_the_search()
    {
        List<double> rates = [];
        var search = Run(
            new(80, 1, 1000),
            rate =>
            {
                rates.Add(rate);
                return rates.Count is 2 or 4 or 5 ? RateOutcome.Unusable : RateOutcome.Kept;
            }
        );

        Assert.Equal((80, 96, 96), (rates[0], rates[1], rates[2]));
        Assert.Equal((RateSearchEnd.Unusable, 5), (search.End, rates.Count));
    }

    [Fact]
    public void Runs_that_contradict_each_other_for_ever_end_undecided()
    {
        Dictionary<double, int> times = [];
        var search = Run(
            new(80, 1, 1000),
            rate =>
            {
                times[rate] = times.GetValueOrDefault(rate) + 1;
                return times[rate] % 2 == 1 == rate <= 100 ? RateOutcome.Kept : RateOutcome.FellBehind;
            }
        );

        Assert.Equal((RateSearchEnd.Undecided, SustainableRateSearch.MostRuns), (search.End, times.Values.Sum()));
    }

    [Theory]
    [InlineData(40, 0.25, 0.03)]
    [InlineData(400, 0.5, 0.03)]
    [InlineData(40, 1, 0.08)]
    public void The_search_finds_the_capacity_of_a_queue_as_its_sustainable_rate(double capacity, double cv, double off)
    {
        // Served one after another. Runs of 2 + 10 s in windows of a second, in the queue's own time.
        var found = Enumerable
            .Range(0, 40)
            .Select(seed =>
            {
                var draws = new SeededSequence(seed);
                return Run(new(0.5 * capacity, 1, 1e6), rate => SimulatedQueue.GetOutcome(rate, capacity, cv, 2, 10, draws));
            })
            .ToList();

        Assert.InRange(found.Count(static search => search.End == RateSearchEnd.Undecided), 0, 3);
        Assert.All(found, static search => Assert.True(search.End is RateSearchEnd.Found or RateSearchEnd.Undecided));
        Assert.InRange(found.Select(static search => search.Kept!.Value).Median() / capacity, 1 - off - 0.02, 1 + off);
    }

    private static SustainableRateSearch Run(SustainableRateSearch search, Func<double, RateOutcome> run)
    {
        while (search.End == RateSearchEnd.None)
        {
            search.Add(run(search.Rate));
        }

        return search;
    }
}
