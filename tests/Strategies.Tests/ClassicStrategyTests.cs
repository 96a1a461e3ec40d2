using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>
/// The 2 x 2 table: events in turn or concurrently, sinks in turn or concurrently. Also the strategies that share a cell of it with combined.
/// </summary>
public sealed class ClassicStrategyTests
{
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    [Theory]
    [InlineData("baseline", 1, 1)]
    [InlineData("inloop", 1, 2)]
    [InlineData("outloop", 7, 7)]
    [InlineData("combined", 7, 14)]
    [InlineData("foreachasync", 7, 14)]
    [InlineData("pipelined", 7, 14)]
    public void Reaches_its_bound_of_events_and_of_writes_in_flight(string name, int events, int writes)
    {
        var log = Run(name, 40, 7);
        var moments = log.Select(write => log.Where(other => other.Started <= write.Started && write.Started < other.Finished).ToArray()).ToArray();

        Assert.Equal(events, moments.Max(inFlight => inFlight.Select(write => write.Sequence).Distinct().Count()));
        Assert.Equal(writes, moments.Max(inFlight => inFlight.Length));
    }

    [Theory]
    [InlineData("baseline")]
    [InlineData("outloop")]
    public void Sinks_in_turn_begin_when_the_one_before_has_acknowledged(string name) =>
        Assert.All(
            Run(name, 20, 4).GroupBy(write => write.Sequence),
            writes =>
            {
                Assert.Equal(["a", "b"], writes.Select(write => write.Sink));
                Assert.Equal(writes.First().Finished, writes.Last().Started);
            }
        );

    [Theory]
    [InlineData("inloop")]
    [InlineData("combined")]
    [InlineData("foreachasync")]
    [InlineData("pipelined")]
    public void Concurrent_sinks_begin_together(string name) =>
        Assert.All(Run(name, 20, 4).GroupBy(write => write.Sequence), writes => Assert.Equal(writes.First().Started, writes.Last().Started));

    [Fact]
    public void A_slow_event_does_not_hold_back_those_beside_it() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var sink = new RecordingSink(
                clock,
                "a",
                (written, cancellationToken) => clock.DelayAsync(written.SequenceNumber == 0 ? Latency * 100 : Latency, cancellationToken),
                log
            );

            await StrategyRuns.RunAsync("outloop", 2, [sink], Some.Batch(50).Events, TestContext.Current.CancellationToken);

            Assert.Equal(Latency * 100, clock.Elapsed);
            Assert.Equal(Latency * 49, log.Where(write => write.Sequence > 0).Max(write => write.Finished));
        });

    private static List<Write> Run(string name, int count, int degree)
    {
        var log = new List<Write>();
        VirtualTimeRunner.Run(clock =>
            StrategyRuns.RunAsync(
                name,
                degree,
                [RecordingSink.Taking(clock, "a", Latency, log), RecordingSink.Taking(clock, "b", Latency, log)],
                Some.Batch(count).Events,
                TestContext.Current.CancellationToken
            )
        );
        return log;
    }
}
