using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>A consumer of one partition without the rules of a strategy. It performs one operation for its events and counts them.</summary>
/// <param name="meter">Counts the events of all partitions.</param>
/// <param name="treatAsync">The operation for each event, several of a partition concurrently. Null does nothing.</param>
/// <param name="completeAsync">The operation after all events of a batch. Null does nothing.</param>
internal sealed class BacklogCount(
    BacklogMeter meter,
    Func<ReceivedEvent, CancellationToken, ValueTask>? treatAsync,
    Func<ReceivedEvent, CancellationToken, Task>? completeAsync = null
) : IPartitionHandler
{
    /// <summary>The number of events of a partition that are handled concurrently.</summary>
    public const int UnderWay = 16;

    public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        if (treatAsync is not null)
        {
            var options = new ParallelOptions { MaxDegreeOfParallelism = UnderWay, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(batch.Events, options, treatAsync);
        }

        if (completeAsync is not null)
        {
            await completeAsync(batch.Events[^1], cancellationToken);
        }

        meter.Add(batch.Events.Count);
    }

    public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
}
