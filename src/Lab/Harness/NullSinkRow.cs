using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Harness;

/// <summary>
/// All the work around two writes, without the writes: events in turn, one thread, sinks that have acknowledged when they are called. No checkpoint is stored
/// until the end. Events are created while the clock is paused.
/// </summary>
/// <param name="clock">The clock.</param>
/// <param name="events">Events that are measured, after as many that warm up.</param>
internal sealed class NullSinkRow(TimeProvider clock, int events)
{
    // Events are made a few batches ahead, as a receiver does it: what was made long before would be fetched from main memory.
    private const int Ahead = 1_000;

    /// <summary>Measures the pump, without or with the observers that time, count and export.</summary>
    /// <param name="measured">Whether observers measure.</param>
    /// <param name="cancellationToken">Ends it at the next batch.</param>
    /// <exception cref="InvalidOperationException">It waited for an acknowledged write, or failed.</exception>
    public Task<HarnessCost> PumpAsync(bool measured, CancellationToken cancellationToken) =>
        new NullSinkPump(clock) { Strategy = StrategyCatalog.All[0], Measures = measured }.RunAsync(
            partition => MeasureAsync(batch => new ValueTask(partition.ProcessAsync(batch, cancellationToken))),
            cancellationToken
        );

    /// <summary>Measures what processing an event costs that way. The first half warms up: code is compiled, rings grow.</summary>
    /// <param name="processAsync">Processes a batch without waiting for anything.</param>
    /// <exception cref="InvalidOperationException">It waited.</exception>
    public async Task<HarnessCost> MeasureAsync(Func<EventBatch, ValueTask> processAsync)
    {
        var (elapsed, allocated) = (TimeSpan.Zero, 0L);
        for (var first = 0L; first < 2L * events; first += Ahead)
        {
            var batches = Enumerable
                .Range(0, Ahead / NullSinkEvents.BatchSize)
                .Select(batch => NullSinkEvents.Batch(first + (batch * NullSinkEvents.BatchSize)))
                .ToArray();
            var before = GC.GetAllocatedBytesForCurrentThread();
            var began = clock.GetTimestamp();
            await ProcessAsync(batches, processAsync);
            if (first >= events)
            {
                elapsed += clock.GetElapsedTime(began);
                allocated += GC.GetAllocatedBytesForCurrentThread() - before;
            }
        }

        return new HarnessCost(elapsed.TotalNanoseconds / events, (double)allocated / events);
    }

    private static async Task ProcessAsync(EventBatch[] batches, Func<EventBatch, ValueTask> processAsync)
    {
        foreach (var batch in batches)
        {
            var processing = processAsync(batch);
            if (!processing.IsCompletedSuccessfully)
            {
                throw new InvalidOperationException("sinks that acknowledge synchronously were awaited");
            }

            await processing;
        }
    }
}

/// <summary>What an event cost.</summary>
/// <param name="Nanoseconds">Time of the thread that processed it.</param>
/// <param name="Bytes">What was allocated for it.</param>
internal readonly record struct HarnessCost(double Nanoseconds, double Bytes);
