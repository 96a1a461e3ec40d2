using EventHubThroughput.Events;
using EventHubThroughput.Lab.Harness;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Load;

/// <summary>The cost of a strategy, including its background work.</summary>
/// <param name="EventsPerSecond">Its rate.</param>
/// <param name="Nanoseconds">Processor time of all threads per event.</param>
/// <param name="Bytes">Bytes that all threads allocated per event.</param>
internal readonly record struct StrategyCost(double EventsPerSecond, double Nanoseconds, double Bytes);

/// <summary>The rows of the table: the layers around two writes, one after another, and each strategy with all layers.</summary>
/// <param name="clock">The clock.</param>
/// <param name="events">Events of a round.</param>
internal sealed class HarnessLoad(TimeProvider clock, int events)
{
    private const int WarmUp = 20_000;

    private readonly NullSinkRow row = new(clock, events);

    /// <summary>The strategy on sinks without any layer around them, the baseline of all other rows.</summary>
    public async Task<HarnessCost> StrategyAloneAsync(CancellationToken cancellationToken)
    {
        var context = new StrategyContext { Sinks = [new NoTrackedSink(), new NoTrackedSink()], MaxConcurrency = 1 };
        await using var strategy = StrategyCatalog.All[0].Create(context);
        return await row.MeasureAsync(batch => strategy.DispatchAsync(batch.Events, cancellationToken));
    }

    /// <summary>The pump without and with all timing, counters and exports.</summary>
    /// <param name="measured">Whether observers measure.</param>
    /// <param name="cancellationToken">Ends it at the next batch.</param>
    public Task<HarnessCost> PumpAsync(bool measured, CancellationToken cancellationToken) => row.PumpAsync(measured, cancellationToken);

    /// <summary>A strategy as in a run, checkpoints included. Its work after the last batch is part of the time.</summary>
    /// <param name="strategy">The strategy.</param>
    /// <param name="degree">The degree.</param>
    /// <param name="cancellationToken">Ends it at the next batch.</param>
    public Task<StrategyCost> StrategyAsync(StrategyDescriptor strategy, int degree, CancellationToken cancellationToken) =>
        new NullSinkPump(clock)
        {
            Strategy = strategy,
            Degree = degree,
            Checkpoints = true,
            Measures = true,
        }.RunAsync(partition => MeasureAsync(partition, cancellationToken), cancellationToken);

    private async Task<StrategyCost> MeasureAsync(NullSinkPartition partition, CancellationToken cancellationToken)
    {
        for (var first = 0L; first < WarmUp; first += NullSinkEvents.BatchSize)
        {
            await partition.ProcessAsync(NullSinkEvents.Batch(first), cancellationToken);
        }

        var batches = Enumerable
            .Range(0, events / NullSinkEvents.BatchSize)
            .Select(static place => NullSinkEvents.Batch(WarmUp + (place * NullSinkEvents.BatchSize)))
            .ToArray();
        var (began, processor, allocated) = (clock.GetTimestamp(), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));
        foreach (var batch in batches)
        {
            await partition.ProcessAsync(batch, cancellationToken);
        }

        await partition.CloseAsync();
        return new StrategyCost(
            events / clock.GetElapsedTime(began).TotalSeconds,
            (Environment.CpuUsage.TotalTime - processor).TotalNanoseconds / events,
            (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / events
        );
    }

    private sealed class NoTrackedSink : ITrackedSink
    {
        public string Name => "none";

        public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) => default;

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) => default;
    }
}
