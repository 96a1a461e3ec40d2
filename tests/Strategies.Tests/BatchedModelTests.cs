using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What batched reaches beside pipelined, in virtual time with the latencies of article-spread: rates, and messages of one operation.</summary>
public sealed class BatchedModelTests
{
    private const int Count = 10_000;
    private const int Largest = 100;
    private static readonly TimeSpan S = TimeSpan.FromTicks(185_200);
    private static readonly TimeSpan B = TimeSpan.FromTicks(93_500);

    [Theory]
    [InlineData(16, 128, false)]
    [InlineData(16, 8192, true)]
    [InlineData(64, 256, true)]
    [InlineData(64, 512, true)]
    [InlineData(64, 8192, false)]
    [InlineData(64, 8192, true)]
    public void Is_not_slower_than_pipelined_and_sends_a_twentieth_of_the_operations(int degree, int window, bool spread)
    {
        var pipelined = Live("pipelined", degree, window, spread);

        var batched = Live("batched", degree, window, spread);

        Assert.InRange(batched.Rate / pipelined.Rate, 0.98, 2.2);
        Assert.Equal(Count, pipelined.Operations);
        Assert.InRange(Count / (double)batched.Operations, 20, Largest);
    }

    // Only the blobs are waited for: d / b. A sender that takes long gets more concurrent operations.
    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Its_rate_is_that_of_single_writes_as_long_as_operations_keep_up(int timesLonger)
    {
        const int Degree = 16;

        var rate = Live("batched", Degree, window: 8192, spread: false, timesLonger).Rate;

        Assert.InRange(rate * B.TotalSeconds / Degree, 0.98, 1.0001);
    }

    [Fact]
    public void Where_the_service_allows_200_operations_a_second_it_is_five_times_as_fast()
    {
        var pipelined = Live("pipelined", 64, 8192, spread: true, serial: TimeSpan.FromMilliseconds(5));

        var batched = Live("batched", 64, 8192, spread: true, serial: TimeSpan.FromMilliseconds(5));

        Assert.InRange(pipelined.Rate, 190, 200);
        Assert.InRange(batched.Rate / pipelined.Rate, 5, Largest);
    }

    // No backlog: nothing is ever full for want of events, and the time is what makes operations of them.
    [Fact]
    public void Events_that_come_at_a_rate_share_operations_as_well()
    {
        var sink = default(OperationSink);
        VirtualTimeRunner.Run(async clock =>
        {
            sink = Operations(clock, spread: true, new Random(1), S, TimeSpan.Zero);
            var descriptor = StrategyCatalog.Find("batched");
            await using var strategy = descriptor.Create(
                new StrategyContext
                {
                    MaxConcurrency = 64,
                    Sinks = [sink],
                    Options = StrategyOptionValues.Of(descriptor.Options),
                    TimeProvider = clock,
                }
            );
            for (var first = 0; first < 6_000; first += 10)
            {
                await strategy.DispatchAsync(Some.Batch(10, first: first).Events, Token);
                await clock.DelayAsync(TimeSpan.FromMilliseconds(10.0 / 3), Token);
            }

            await strategy.DrainAsync(Token);
        });

        Assert.InRange(6_000.0 / sink!.Operations.Count, 20, Largest);
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static (double Rate, int Operations) Live(string strategy, int degree, int window, bool spread, int timesLonger = 1, TimeSpan serial = default)
    {
        var random = new Random(degree + window);
        OperationSink? sink = null;
        var elapsed = VirtualTimeRunner.Run(clock =>
        {
            sink = Operations(clock, spread, random, timesLonger * S, serial);
            var blobs = new RecordingSink(clock, "blobs", (_, cancellationToken) => clock.DelayAsync(Draw(random, spread, B), cancellationToken), []);
            return new WindowedRun(clock, degree, window).RunAsync(strategy, [sink, blobs], Some.Batch(Count).Events, batch: 10, Token);
        });
        return (Count / elapsed.TotalSeconds, sink!.Operations.Count);
    }

    // Operations begin one after another where they take serial time, and continue concurrently.
    private static OperationSink Operations(VirtualClock clock, bool spread, Random random, TimeSpan mean, TimeSpan serial)
    {
        var free = TimeSpan.Zero;
        return new OperationSink(
            clock,
            Largest,
            cancellationToken =>
            {
                free = (free > clock.Elapsed ? free : clock.Elapsed) + serial;
                return clock.DelayAsync(free - clock.Elapsed + Draw(random, spread, mean), cancellationToken);
            }
        );
    }

    // Gamma of shape 4, the sum of four exponentials: CV 0.5.
    private static TimeSpan Draw(Random random, bool spread, TimeSpan mean) =>
        spread ? mean / 4 * Enumerable.Range(0, 4).Sum(_ => -Math.Log(1 - random.NextDouble())) : mean;
}
