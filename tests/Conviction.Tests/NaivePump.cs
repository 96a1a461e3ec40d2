using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>
/// A pump as in the article: lets the strategy write a batch, then stores the end of the batch, and does not check whether its events arrived.
/// </summary>
internal static class NaivePump
{
    /// <summary>The two sinks as the consumer makes them, without a tracker around them.</summary>
    public static ISink<ReceivedEvent>[] GetSinks(RecordedProcess process) =>
        [new ServiceBusSink(process.Queue, RecordedServices.Hub), new BlobSink(process.Archive, RecordedServices.Hub)];

    /// <summary>A strategy over untracked sinks.</summary>
    public static IProcessingStrategy Over(IEnumerable<ISink<ReceivedEvent>> sinks, Func<StrategyContext, IProcessingStrategy> strategy) =>
        strategy(new StrategyContext { Sinks = [.. sinks.Select(sink => new UntrackedSink(sink))] });

    public static async Task RunAsync(
        RecordedProcess process,
        Func<StrategyContext, IProcessingStrategy> strategy,
        int batch,
        Func<ISink<ReceivedEvent>, ISink<ReceivedEvent>>? disguise = null
    )
    {
        using var ownership = process.Take(fenced: false);
        var naive = Over(GetSinks(process).Select(sink => disguise?.Invoke(sink) ?? sink), strategy);
        foreach (var delivered in ownership.Batches(batch))
        {
            await naive.DispatchAsync(delivered.Events, CancellationToken.None);
            await ownership.CheckpointAsync(GetEnd(delivered), CancellationToken.None);
        }
    }

    /// <summary>Writes one batch as the combined strategy does.</summary>
    public static async Task WriteAsync(RecordedProcess process, EventBatch batch) =>
        await Over(GetSinks(process), context => new CombinedStrategy(context)).DispatchAsync(batch.Events, CancellationToken.None);

    public static EventPosition GetEnd(EventBatch batch) => GetPosition(batch.Events[^1]);

    public static EventPosition GetPosition(ReceivedEvent received) => new(received.SequenceNumber, received.Offset);

    private sealed class UntrackedSink(ISink<ReceivedEvent> inner) : ITrackedSink
    {
        public string Name => inner.Name;

        public async ValueTask<WriteOutcome> WriteAsync(EventSlot slot, CancellationToken cancellationToken)
        {
            await inner.WriteAsync((ReceivedEvent)slot, cancellationToken);
            return new WriteOutcome(TimeSpan.Zero, 1, Throttled: false);
        }

        public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            await Task.WhenAll(events.Select(written => WriteAsync(written, cancellationToken).AsTask()));
    }
}
