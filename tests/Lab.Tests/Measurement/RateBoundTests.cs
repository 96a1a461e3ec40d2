using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class RateBoundTests
{
    // 500 events in 5 s: 100 events/s.
    private static readonly RunFigures Figures = Reports.Figures(10);

    [Fact]
    public void Nothing_binds_a_run_far_below_every_limit() =>
        Assert.Equal(RateBound.None, RateBounds.Of(Figures, withoutLatency: false, ceiling: 10_000, fed: true, cores: 2));

    [Fact]
    public void Nothing_binds_a_rate_that_was_not_measured() =>
        Assert.Equal(RateBound.None, RateBounds.Of(Reports.Unmeasured, withoutLatency: true, ceiling: null, fed: false, cores: 2));

    [Theory]
    [InlineData(300, false)]
    [InlineData(299, true)]
    public void The_emulator_binds_above_a_third_of_its_ceiling(int ceiling, bool bound) =>
        Assert.Equal(bound ? RateBound.Emulator : RateBound.None, RateBounds.Of(Figures, withoutLatency: false, ceiling, fed: true, cores: 2));

    [Theory]
    [InlineData(4, 3_500, 12_000, false)]
    [InlineData(4, 3_501, 0, true)]
    [InlineData(2, 4_500, 4_500, false)]
    [InlineData(2, 4_500, 4_501, true)]
    [InlineData(2, 5_000, 3_999, false)]
    public void The_emulator_binds_when_it_has_no_processor_left(int cores, int emulator, int consumer, bool bound) =>
        Assert.Equal(
            bound ? RateBound.Emulator : RateBound.None,
            RateBounds.Of(
                Figures with
                {
                    EmulatorCpu = TimeSpan.FromMilliseconds(emulator),
                    ConsumerCpu = TimeSpan.FromMilliseconds(consumer),
                },
                withoutLatency: false,
                ceiling: null,
                fed: true,
                cores
            )
        );

    [Theory]
    [InlineData(9_000, false)]
    [InlineData(9_001, true)]
    public void The_consumers_own_processors_bind_when_they_are_nearly_full(int milliseconds, bool bound) =>
        Assert.Equal(
            bound ? RateBound.Cpu : RateBound.None,
            RateBounds.Of(
                Figures with
                {
                    ConsumerCpu = TimeSpan.FromMilliseconds(milliseconds),
                    EmulatorCpu = TimeSpan.Zero,
                },
                withoutLatency: false,
                ceiling: null,
                fed: true,
                cores: 2
            )
        );

    [Fact]
    public void An_emulator_without_latency_binds_always_and_batches_that_are_not_full_before_the_processors()
    {
        var busy = Figures with { ConsumerCpu = TimeSpan.FromSeconds(10) };

        Assert.Equal(RateBound.Emulator, RateBounds.Of(busy, withoutLatency: true, ceiling: null, fed: false, cores: 2));
        Assert.Equal(RateBound.Input, RateBounds.Of(busy, withoutLatency: false, ceiling: null, fed: false, cores: 2));
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(2, true)]
    public void A_strategy_that_fills_the_degree_that_it_has_set_is_not_short_of_events(int set, bool isShort)
    {
        // One event in flight in the mean, in batches of a tenth of their possible size. Half of it would be that of the input.
        var report = Reports.Of(Reports.ContinuesAcrossBatches);
        report = report with
        {
            Options = report.Options.With(static processing => processing with { BatchSize = 100, MaxConcurrency = 512 }),
            Figures = report.Figures with { Degrees = [new DegreeChange(TimeSpan.Zero, "0", set)] },
        };

        Assert.Equal(isShort ? RateBound.Input : RateBound.None, report.Bound);
    }
}
