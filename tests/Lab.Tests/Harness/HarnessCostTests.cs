using EventHubThroughput.Events;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Harness;

/// <summary>What tracking, checks, timing and metrics cost beside the writes: sinks that do nothing, events in turn.</summary>
public sealed class HarnessCostTests
{
    private const int Batch = 1_000;

    [Theory]
    [InlineData(OrderingGuarantee.Partition)]
    [InlineData(OrderingGuarantee.Key)]
    public async Task The_harness_allocates_no_memory_for_an_event(OrderingGuarantee promised)
    {
        using var bench = new MeasuredBench();
        using var stop = new ProcessingStop(TimeSpan.FromSeconds(10), TimeProvider.System);
        using var measurement = new RunMeasurement(TimeProvider.System, emulator: null, TwoSinks.Stages);
        var session = new SessionFactory
        {
            Strategy = StrategyCatalog.Find("baseline") with { Ordering = promised },
            MaxConcurrency = 1,
            Sinks = [new NoSink("servicebus"), new NoSink("blob")],
            Checkpoints = new CheckpointOptions { Events = int.MaxValue },
            Retry = new RetryRule(),
            Observers = partition => [new PartitionMeters(partition, measurement, bench.Metrics, TimeProvider.System)],
            Faults = new ProcessingFaults(),
            Stop = stop,
            TimeProvider = TimeProvider.System,
        }.Open(bench.Checkpoints);
        var batches = Enumerable.Range(0, 12).Select(batch => Keyed(batch * Batch)).ToArray();
        await RunAsync(batches[..2]);

        var before = GC.GetAllocatedBytesForCurrentThread();
        await RunAsync(batches[2..]);
        var each = (double)(GC.GetAllocatedBytesForCurrentThread() - before) / (10 * Batch);

        Assert.True(each < 1, $"{each:0.0} bytes an event");

        async Task RunAsync(EventBatch[] some)
        {
            foreach (var batch in some)
            {
                var processing = session.ProcessAsync(batch.Events, CancellationToken.None);
                Assert.True(processing.IsCompletedSuccessfully);
                await processing;
            }
        }
    }

    private static EventBatch Keyed(long first) =>
        new("0", [.. Enumerable.Range(0, Batch).Select(index => Some.Event(first + index, key: $"key-{index / 2}"))]);

    private sealed class NoSink(string name) : ISink<EventSlot>
    {
        public string Name => name;

        public ValueTask WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }
}
