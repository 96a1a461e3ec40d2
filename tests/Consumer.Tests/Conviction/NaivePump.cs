using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Sinks;
using EventHubThroughput.Consumer.Tests.Conviction.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Tests.Conviction;

/// <summary>
/// A pump as in the article: lets the strategy write a batch, then stores the end of the batch, and asks nobody whether its events
/// arrived.
/// </summary>
internal static class NaivePump
{
    /// <summary>The two sinks as the consumer makes them, without a tracker around them.</summary>
    public static ISink[] SinksOf(RecordedProcess process) =>
        [new ServiceBusSink(process, RecordedServices.Hub), new BlobSink(process.Archive, RecordedServices.Hub)];

    public static async Task RunAsync(RecordedProcess process, IProcessingStrategy strategy, int batch, Func<ISink, ISink>? disguise = null)
    {
        using var ownership = process.Take(fenced: false);
        ISink[] sinks = [.. SinksOf(process).Select(sink => disguise?.Invoke(sink) ?? sink)];
        foreach (var delivered in ownership.Batches(batch))
        {
            await strategy.ProcessAsync(delivered, sinks, CancellationToken.None);
            await ownership.CheckpointAsync(EndOf(delivered), CancellationToken.None);
        }
    }

    public static EventPosition EndOf(EventBatch batch) => PositionOf(batch.Events[^1]);

    public static EventPosition PositionOf(ReceivedEvent received) => new(received.SequenceNumber, received.Offset);
}
