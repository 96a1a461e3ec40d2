using EventHubThroughput.Lab.Harness;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Harness;

/// <summary>What is measured of the harness is the pump with every event of it, and figures of a pump that failed are none.</summary>
public sealed class NullSinkPumpTests
{
    private static readonly CancellationToken Cancelled = new(canceled: true);

    public static TheoryData<string> Strategies => [.. StrategyCatalog.Safe.Select(static strategy => strategy.Name)];

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Takes_what_it_is_given_with_each_strategy(string name)
    {
        var strategy = StrategyCatalog.Find(name);
        var pump = new NullSinkPump(TimeProvider.System)
        {
            Strategy = strategy,
            Degree = strategy.MaxConcurrencyInForce(8),
            Checkpoints = true,
            Measures = true,
        };

        var given = await pump.RunAsync(
            static async partition =>
            {
                var first = 0L;
                for (; first < 3L * NullSinkEvents.BatchSize; first += NullSinkEvents.BatchSize)
                {
                    await partition.ProcessAsync(NullSinkEvents.Batch(first), CancellationToken.None);
                }

                await partition.CloseAsync();
                return first;
            },
            CancellationToken.None
        );

        Assert.Equal(3L * NullSinkEvents.BatchSize, given);
    }

    [Fact]
    public async Task A_failure_is_thrown()
    {
        var pump = new NullSinkPump(TimeProvider.System) { Strategy = StrategyCatalog.All[0] };

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            pump.RunAsync<int>(static _ => throw new InvalidOperationException("broken"), CancellationToken.None)
        );

        Assert.Equal("broken", failure.Message);
    }

    [Fact]
    public async Task Pump_without_sinks_can_be_stopped()
    {
        var pump = new NullSinkPump(TimeProvider.System) { Strategy = StrategyCatalog.All[0] };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pump.RunAsync(static partition => Task.FromResult(0), Cancelled));
    }

    [Fact]
    public async Task A_sink_that_waits_gets_no_figure()
    {
        var row = new NullSinkRow(TimeProvider.System, 1_000);
        var waits = await Assert.ThrowsAsync<InvalidOperationException>(() => row.MeasureAsync(static async _ => await Task.Yield()));
        Assert.Equal("sinks that acknowledge synchronously were awaited", waits.Message);

        // What does not wait has one: as many batches as make both halves.
        var batches = 0;
        await row.MeasureAsync(_ =>
        {
            batches++;
            return ValueTask.CompletedTask;
        });
        Assert.Equal(2 * 1_000 / NullSinkEvents.BatchSize, batches);
    }

    [Fact]
    public async Task The_overhead_has_figures_that_can_be()
    {
        var overhead = await HarnessOverhead.MeasureAsync(TimeProvider.System, CancellationToken.None);

        Assert.True(overhead.HarnessCpuUsPerEvent > 0);
        Assert.InRange(overhead.HarnessAllocatedBytesPerEvent, 0, 1);
        Assert.InRange(overhead.MetricsOnOffRatio, double.Epsilon, double.MaxValue);
    }
}
