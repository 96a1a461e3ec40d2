using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>
/// The events of one key in turn, in a number of lanes that its option sets, up to the degree. Across batches, with batch writes and within the limit
/// that all partitions share. It uses everything in the contract.
/// </summary>
internal sealed class LanesStrategy(StrategyContext context) : IProcessingStrategy, IWriteWatcher
{
    private readonly Task[] lanes = [.. Enumerable.Repeat(Task.CompletedTask, Math.Min(context.MaxConcurrency, context.Options["lanes"]))];
    private bool failed;
    private int notices;

    public static StrategyDescriptor Descriptor { get; } =
        new("lanes", "Keys at once, the events of each in turn.", OrderingGuarantee.Key, context => new LanesStrategy(context), IsBarrier: false)
        {
            Options = [new StrategyOption("lanes", 8, 1, 64, "Lanes that keys share.")],
        };

    public void Noticed(in WriteNotice notice) => notices++;

    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        context.ReportConcurrency(lanes.Length);
        foreach (var receivedEvent in batch)
        {
            var lane = receivedEvent.Key is { } key ? GetLane(key) : (int)(receivedEvent.SequenceNumber % lanes.Length);

            // One waits in a lane at most, else the degree would be no limit.
            await lanes[lane];
            cancellationToken.ThrowIfCancellationRequested();
            if (failed)
            {
                return;
            }

            lanes[lane] = WriteAsync(receivedEvent, cancellationToken);
        }
    }

    public async ValueTask DrainAsync(CancellationToken cancellationToken) => await Task.WhenAll(lanes);

    // The hash of a text differs from process to process.
    private int GetLane(string key) => (int)(key.Aggregate(0u, static (hash, letter) => (hash * 31) + letter) % (uint)lanes.Length);

    private async Task WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        // A sink that works before its first await must not hold up the other lanes.
        await Task.Yield();
        try
        {
            await context.Limit.EnterAsync(cancellationToken);
            try
            {
                foreach (var sink in context.Sinks)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    await sink.WriteBatchAsync([receivedEvent], cancellationToken);
                }
            }
            finally
            {
                context.Limit.Leave();
            }
        }
        catch (Exception failure)
        {
            failed = true;
            context.ReportFailure(failure);
        }
    }
}
