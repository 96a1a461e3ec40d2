using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Workload.Tests;

public sealed class SendScheduleTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void A_rate_spaces_the_events_evenly()
    {
        var schedule = Constant(400);

        Assert.Equal(TimeSpan.Zero, schedule.GetOffset(0));
        Assert.Equal(TimeSpan.FromMilliseconds(2.5), schedule.GetOffset(1));
        Assert.Equal(Start.AddSeconds(25_000), schedule.IntendedAt(10_000_000, Start, Start));
    }

    [Fact]
    public void Rounding_does_not_add_up() => Assert.Equal(TimeSpan.FromSeconds(1_000_000), Constant(3).GetOffset(3_000_000));

    [Fact]
    public void An_event_without_a_rate_is_scheduled_for_now()
    {
        Assert.Null(new SendSchedule(null).GetOffset(5));
        Assert.Equal(Start.AddSeconds(9), new SendSchedule(null).IntendedAt(5, Start, Start.AddSeconds(9)));
    }

    [Fact]
    public void Another_rate_holds_from_its_time_on()
    {
        var schedule = new SendSchedule([(100, TimeSpan.Zero), (500, TimeSpan.FromSeconds(2)), (10, TimeSpan.FromSeconds(3))]);

        Assert.Equal(TimeSpan.FromSeconds(1.99), schedule.GetOffset(199));
        Assert.Equal(TimeSpan.FromSeconds(2), schedule.GetOffset(200));
        Assert.Equal(TimeSpan.FromMilliseconds(2002), schedule.GetOffset(201));
        Assert.Equal(TimeSpan.FromSeconds(3.1), schedule.GetOffset(701));
        Assert.Equal(700 / 3.0, schedule.MeanRate(700));
    }

    [Fact]
    public void The_schedule_counts_the_events_before_a_time()
    {
        var schedule = new SendSchedule([(100, TimeSpan.Zero), (500, TimeSpan.FromSeconds(2)), (10, TimeSpan.FromSeconds(3))]);

        Assert.Equal([0L, 1, 200, 201, 700, 710], ((double[])[0, 0.01, 2, 2.002, 3, 4]).Select(at => schedule.EventsBefore(TimeSpan.FromSeconds(at))!.Value));
        Assert.Null(new SendSchedule(null).EventsBefore(TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public void The_times_of_any_schedule_rise_and_hold_its_rates() =>
        Prop.ForAll(
                Gen.Choose(1, 2000).Zip(Gen.Choose(1, 5000)).ListOf().Where(static list => list.Count > 0).ToArbitrary(),
                drawn =>
                {
                    var from = TimeSpan.Zero;
                    List<(double PerSecond, TimeSpan From)> steps = [];
                    foreach (var (rate, length) in drawn)
                    {
                        steps.Add((rate, from));
                        from += TimeSpan.FromMilliseconds(length);
                    }

                    var schedule = new SendSchedule(steps);
                    var offsets = Enumerable.Range(0, 500).Select(index => schedule.GetOffset(index)!.Value).ToList();
                    return offsets.Zip(offsets.Skip(1)).All(pair => pair.First <= pair.Second && pair.Second - pair.First <= Slowest(steps));
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Times_that_do_not_rise_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new SendSchedule([(1, TimeSpan.FromSeconds(1))]));
        Assert.Throws<ArgumentOutOfRangeException>(() => new SendSchedule([(1, TimeSpan.Zero), (2, TimeSpan.Zero)]));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    public void A_rate_that_is_none_is_refused(double rate) => Assert.Throws<ArgumentOutOfRangeException>(() => Constant(rate));

    private static SendSchedule Constant(double rate) => new([(rate, TimeSpan.Zero)]);

    // Rounded to a tick at either end.
    private static TimeSpan Slowest(IEnumerable<(double PerSecond, TimeSpan From)> steps) =>
        TimeSpan.FromSeconds(1 / steps.Min(step => step.PerSecond)) + TimeSpan.FromTicks(1);
}
