using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.TimedPump;

namespace EventHubThroughput.Lab.Tests.Measurement;

/// <summary>
/// 600 events in virtual time are measured at the rate of the closed form. This is true for strategies that wait for their batches and for those that
/// continue across them.
/// </summary>
public sealed class MeasuredRateTests
{
    private const int Degree = 8;

    [Fact]
    public void A_strategy_without_a_barrier_keeps_its_degree_busy() => AssertRate(StrategyCatalog.Find("pipelined"), Degree / Message.TotalSeconds);

    [Theory]
    [InlineData("baseline")]
    [InlineData("inloop")]
    [InlineData("outloop")]
    [InlineData("combined")]
    public void The_four_classics_wait_for_each_batch_and_its_checkpoint(string name)
    {
        var rounds = Math.Ceiling((double)Batch / Degree);
        var batch = name switch
        {
            "baseline" => Batch * (Message + Blob),
            "inloop" => Batch * Message,
            "outloop" => rounds * (Message + Blob),
            _ => rounds * Message,
        };

        AssertRate(StrategyCatalog.Find(name), Batch / (batch + CheckpointTime).TotalSeconds);
    }

    // A straggler holds the watermark while the window continues. Only its place is lost, 2 ms an event: 0.9.
    [Fact]
    public void Stragglers_that_the_window_bridges_cost_a_strategy_without_a_barrier_little_more_than_their_places()
    {
        const int Window = 1_024;
        const int Events = 20_000;
        var pipelined = StrategyCatalog.Find("pipelined");

        var without = Measure(pipelined, Events, _ => Message, Window).EventsPerSecond;
        var with = Measure(pipelined, Events, message => message % 1_000 == 999 ? Message + TimeSpan.FromSeconds(2) : Message, Window).EventsPerSecond;

        Assert.InRange(with!.Value / without!.Value, 0.8, 0.9);
    }

    private static void AssertRate(StrategyDescriptor strategy, double expected)
    {
        var figures = Measure(strategy, 600, _ => Message, window: null);

        Assert.Equal(500, figures.Section.Completed);
        Assert.Equal(expected, figures.EventsPerSecond!.Value, expected * 0.02);
    }

    private static RunFigures Measure(StrategyDescriptor strategy, int events, Func<long, TimeSpan> message, int? window)
    {
        RunFigures? figures = null;
        VirtualTimeRunner.Run(async clock =>
        {
            using var bench = new MeasuredBench();
            using var measurement = new RunMeasurement(clock, emulator: null, TwoSinks.Stages);
            measurement.WarmUpFor(TimedPump.Batch, backlog: events);
            var pump = new TimedPump(strategy, clock)
            {
                Degree = Degree,
                Window = window,
                MessageOf = message,
            };
            await pump.RunAsync(events, new PartitionMeters("0", measurement, bench.Metrics, clock));
            figures = measurement.Finish();
        });
        return figures!;
    }
}
