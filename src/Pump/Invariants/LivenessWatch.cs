using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Writing;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>The progress of one ownership.</summary>
/// <param name="Owner">Distinguishes the ownerships of a partition.</param>
/// <param name="Partition">The partition.</param>
/// <param name="Complete">Events complete so far.</param>
/// <param name="Confirmed">Events that a confirmed checkpoint covers.</param>
/// <param name="HasWork">Whether there is work that should progress.</param>
/// <param name="Describe">Watermark, oldest incomplete event and events in flight, for the message.</param>
internal readonly record struct PartitionProgress(object Owner, string Partition, long Complete, long Confirmed, bool HasWork, Func<string> Describe);

/// <summary>
/// Invariant I8: a partition with work makes progress within the limit, unless the poison policy holds an event of it. Otherwise processing ends and reports
/// the state of the partition.
/// </summary>
/// <param name="read">Returns the ownerships that are open now.</param>
/// <param name="blocked">The events that are held.</param>
/// <param name="faults">Receives a breach.</param>
/// <param name="limit">How long a partition may be without progress.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class LivenessWatch(
    Func<IEnumerable<PartitionProgress>> read,
    BlockedEvents blocked,
    ProcessingFaults faults,
    TimeSpan limit,
    TimeProvider timeProvider
)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, (PartitionProgress Progress, TimeSpan Still)> known = new(StringComparer.Ordinal);

    /// <summary>Watches until the token is cancelled or a breach was found.</summary>
    public async Task RunAsync(CancellationToken ended)
    {
        using var timer = new PeriodicTimer(Interval, timeProvider);
        try
        {
            while (await timer.WaitForNextTickAsync(ended) && !Look()) { }
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            // Processing has ended.
        }
    }

    // One look adds one interval, even if the last one was long ago: a process that was paused was not stuck.
    private bool Look()
    {
        foreach (var now in read())
        {
            var (before, still) = known.GetValueOrDefault(now.Partition);
            var moved = before.Owner != now.Owner || before.Complete != now.Complete || before.Confirmed != now.Confirmed;
            still = moved || !now.HasWork || blocked.Holds(now.Partition) ? TimeSpan.Zero : still + Interval;
            known[now.Partition] = (now, still);
            if (still >= limit)
            {
                faults.Report(
                    ProcessingFaultKind.InvariantBreached,
                    $"partition {now.Partition} without progress for {still.TotalSeconds:0} s: {now.Describe()}, {ThreadPool.PendingWorkItemCount} work items queued"
                );
                return true;
            }
        }

        return false;
    }
}
