using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>The closed forms of the model, exact in virtual time.</summary>
public sealed class MakespanTests
{
    private static readonly TimeSpan S = Milliseconds(18.52);
    private static readonly TimeSpan B = Milliseconds(9.35);

    public static TheoryData<int, int> Grid
    {
        get
        {
            var grid = new TheoryData<int, int>();
            foreach (var batch in new[] { 1, 7, 10, 100, 300 })
            {
                foreach (var degree in new[] { 1, 2, 7, 8, 16, 64, 128 })
                {
                    grid.Add(batch, degree);
                }
            }

            return grid;
        }
    }

    [Theory]
    [MemberData(nameof(Grid))]
    public void Constant_latencies_give_the_closed_forms(int batch, int degree)
    {
        var rounds = (batch + degree - 1) / degree;

        Assert.Equal(batch * (S + B), Constant("baseline", batch, degree));
        Assert.Equal(batch * S, Constant("inloop", batch, degree));
        Assert.Equal(rounds * (S + B), Constant("outloop", batch, degree));
        Assert.Equal(rounds * S, Constant("combined", batch, degree));
        Assert.Equal(rounds * S, Constant("foreachasync", batch, degree));
    }

    [Theory]
    [MemberData(nameof(Grid))]
    public void Without_a_barrier_the_ends_of_batches_cost_nothing(int batch, int degree)
    {
        const int batches = 3;
        var rounds = ((batches * batch) + degree - 1) / degree;
        var some = Enumerable.Range(0, batches).Select(number => Some.Batch(batch, first: number * batch).Events).ToList();

        Assert.Equal(rounds * S, Run("pipelined", some, degree, clock => [RecordingSink.Taking(clock, "a", S, []), RecordingSink.Taking(clock, "b", B, [])]));
    }

    [Theory]
    [InlineData(7, 378)]
    [InlineData(8, 432)]
    [InlineData(16, 864)]
    [InlineData(32, 1_728)]
    [InlineData(64, 3_456)]
    [InlineData(128, 6_911)]
    public void Without_a_barrier_the_rate_is_the_degree_by_the_longest_write(int degree, double eventsPerSecond)
    {
        var events = 10 * degree;

        Assert.Equal(eventsPerSecond, events / Constant("pipelined", events, degree).TotalSeconds, 0.6);
    }

    [Theory]
    [InlineData(1.0)]
    [InlineData(3.32)]
    [InlineData(5.97)]
    public void A_sender_that_serves_in_turn_gives_its_closed_forms(double serialMilliseconds)
    {
        var s = Milliseconds(serialMilliseconds);
        var f = S - s;
        foreach (var (batch, degree) in Grid.Select(row => row.Data))
        {
            var k = (batch - 1) / degree;
            var r = (batch - 1) % degree;

            Assert.Equal(batch * (S + B), Fifo("baseline", batch, degree, s, f));
            Assert.Equal(batch * S, Fifo("inloop", batch, degree, s, f));
            Assert.Equal((k * Max(S + B, degree * s)) + ((r + 1) * s) + f + B, Fifo("outloop", batch, degree, s, f));
            var atOnce = (k * Max(S, degree * s)) + ((r + 1) * s) + f;
            Assert.Equal(atOnce, Fifo("combined", batch, degree, s, f));
            Assert.Equal(atOnce, Fifo("foreachasync", batch, degree, s, f));
            Assert.Equal(atOnce, Fifo("pipelined", batch, degree, s, f));
        }
    }

    [Theory]
    [InlineData("baseline", 32.5)]
    [InlineData("inloop", 46.6)]
    [InlineData("outloop", 110.9)]
    [InlineData("combined", 123.8)]
    [InlineData("foreachasync", 123.8)]
    public void The_articles_latencies_give_the_articles_rates(string name, double eventsPerSecond)
    {
        const int Batches = 20;
        const int Batch = 10;
        var elapsed = VirtualTimeRunner.Run(async clock =>
        {
            var sinks = new ITrackedSink[]
            {
                new FifoSink(clock, Milliseconds(3.32), Milliseconds(14.88)),
                new FifoSink(clock, Milliseconds(0.65), Milliseconds(8.68)),
            };
            var strategy = StrategyCatalog.Find(name).Create(new StrategyContext { Sinks = sinks });
            for (var batch = 0; batch < Batches; batch++)
            {
                // Receiving at prefetch 0 before each batch, the awaited checkpoint after it.
                await clock.DelayAsync(Milliseconds(8), TestContext.Current.CancellationToken);
                await strategy.DispatchAsync(Some.Batch(Batch).Events, TestContext.Current.CancellationToken);
                await clock.DelayAsync(Milliseconds(24.7), TestContext.Current.CancellationToken);
            }
        });

        Assert.Equal(eventsPerSecond, Batches * Batch / elapsed.TotalSeconds, 0.1);
    }

    [Fact]
    public void The_articles_sender_is_never_idle_without_a_barrier()
    {
        const int Events = 200;
        var elapsed = VirtualTimeRunner.Run(async clock =>
        {
            await using var strategy = StrategyCatalog
                .Find("pipelined")
                .Create(
                    new StrategyContext
                    {
                        Sinks = [new FifoSink(clock, Milliseconds(3.32), Milliseconds(14.88)), new FifoSink(clock, Milliseconds(0.65), Milliseconds(8.68))],
                    }
                );
            for (var first = 0; first < Events; first += 10)
            {
                // Receiving continues while the window has room.
                await clock.DelayAsync(Milliseconds(8), TestContext.Current.CancellationToken);
                await strategy.DispatchAsync(Some.Batch(10, first: first).Events, TestContext.Current.CancellationToken);
            }

            await strategy.DrainAsync(TestContext.Current.CancellationToken);
        });

        Assert.Equal(Milliseconds(8) + (Events * Milliseconds(3.32)) + Milliseconds(14.88), elapsed);
    }

    private static TimeSpan Constant(string name, int batch, int degree) =>
        Run(name, batch, degree, clock => [RecordingSink.Taking(clock, "a", S, []), RecordingSink.Taking(clock, "b", B, [])]);

    private static TimeSpan Fifo(string name, int batch, int degree, TimeSpan serial, TimeSpan rest) =>
        Run(name, batch, degree, clock => [new FifoSink(clock, serial, rest), RecordingSink.Taking(clock, "b", B, [])]);

    private static TimeSpan Run(string name, int batch, int degree, Func<VirtualClock, ITrackedSink[]> sinks) =>
        Run(name, [Some.Batch(batch).Events], degree, sinks);

    private static TimeSpan Run(string name, IEnumerable<IReadOnlyList<EventSlot>> batches, int degree, Func<VirtualClock, ITrackedSink[]> sinks) =>
        VirtualTimeRunner.Run(clock => StrategyRuns.RunAsync(name, degree, sinks(clock), batches, TestContext.Current.CancellationToken));

    private static TimeSpan Milliseconds(double value) => TimeSpan.FromTicks((long)Math.Round(value * TimeSpan.TicksPerMillisecond));

    private static TimeSpan Max(TimeSpan a, TimeSpan b) => a > b ? a : b;
}
