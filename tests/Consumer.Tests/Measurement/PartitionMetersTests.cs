using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Measurement;

public sealed class PartitionMetersTests : IDisposable
{
    private readonly PumpBench bench = new();
    private readonly RunMeasurement measurement;

    public PartitionMetersTests() => measurement = new RunMeasurement(bench.Clock, emulator: null, TwoSinks.Stages);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_partition_has_run_dry_when_the_watermark_is_at_its_last_event(bool deadLettered)
    {
        var meters = new PartitionMeters("0", measurement, bench.Metrics, bench.Clock, lastWaiting: 1);

        meters.Completed(Completion(1, watermark: -1));
        Assert.False(measurement.IsTail);
        meters.Completed(Completion(0, watermark: 1) with { DeadLettered = deadLettered });
        Assert.True(measurement.IsTail);
    }

    [Fact]
    public void The_only_partition_never_runs_dry()
    {
        var meters = new PartitionMeters("0", measurement, bench.Metrics, bench.Clock);

        meters.Completed(Completion(0, watermark: 0));

        Assert.False(measurement.IsTail);
    }

    public void Dispose()
    {
        measurement.Dispose();
        bench.Dispose();
    }

    private static EventCompletion Completion(long sequence, long watermark) =>
        new(Some.Batch(1, first: (int)sequence).Events[0], TimeSpan.FromMilliseconds(1), watermark < 0 ? 0 : 2, DeadLettered: false) { Watermark = watermark };
}
