using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

/// <summary>The kill points in pump and tracked sinks are passed at the documented places and numbers.</summary>
public sealed class KillPointTests
{
    private int kills;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("K1", 2)]
    [InlineData("K3", 4)]
    [InlineData("K6", 4)]
    [InlineData("K7", 4)]
    [InlineData("K10", 2)]
    [InlineData("K11", 1)]
    public async Task Two_batches_of_two_events_pass_each_point_the_documented_number_of_times(string point, int times)
    {
        foreach (var nth in new[] { times, times + 1 })
        {
            using var bench = BenchAt(KillPoints.Parse(point), nth);
            var pump = bench.Open("baseline");
            await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
            await pump.ProcessAsync(Some.Batch(2, first: 2).Events, Cancellation);
            await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);
        }

        Assert.Equal(1, kills);
    }

    [Fact]
    public async Task A_partition_that_is_lost_does_not_drain()
    {
        using var bench = BenchAt(KillPoint.BeforeLastCheckpoint, 1);

        await bench.Open("baseline").CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        Assert.Equal(0, kills);
    }

    [Fact]
    public async Task A_partition_drains_after_a_failure_too()
    {
        using var bench = BenchAt(KillPoint.BeforeLastCheckpoint, 1);
        var pump = bench.Open(context => new ThrowsItself(context, at: 1));

        await Assert.ThrowsAsync<InvalidOperationException>(() => pump.ProcessAsync(Some.Batch(2).Events, Cancellation));
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(1, kills);
    }

    [Fact]
    public async Task A_partition_does_not_drain_whose_last_checkpoint_found_another_owner()
    {
        using var bench = BenchAt(KillPoint.BeforeLastCheckpoint, 1);
        bench.Checkpoints.ThenFail(FailureKind.OwnershipLost);
        var pump = bench.Open(context => new ThrowsItself(context, at: 1));

        await Assert.ThrowsAsync<InvalidOperationException>(() => pump.ProcessAsync(Some.Batch(2).Events, Cancellation));
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(0, kills);
    }

    [Fact]
    public async Task A_partition_does_not_drain_that_was_lost_during_its_last_checkpoint()
    {
        using var bench = BenchAt(KillPoint.BeforeLastCheckpoint, 1);
        var storing = bench.Checkpoints.ThenHang();
        var pump = bench.Open(context => new ThrowsItself(context, at: 1));

        var processing = pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        await storing.WaitAsync(Cancellation);
        await bench.Checkpoints.LoseAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => processing);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(0, kills);
        Assert.Empty(bench.Faults.All);
    }

    private MeasuredBench BenchAt(KillPoint point, int nth) => new() { KillSwitch = new KillSwitch(new KillOrder(point, nth), () => kills++) };
}
