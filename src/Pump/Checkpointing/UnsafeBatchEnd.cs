using EventHubThroughput.Events;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Logs;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>
/// The checkpoint rule of an unsafe strategy, around its loop. At the end of a batch the position passes every event of it, complete or not. Only here is an
/// event passed that a sink does not have.
/// </summary>
/// <remarks>
/// A processing that is stopping or faulted, or has lost the partition, refuses to begin writes. The strategy does not cause that, so events that are
/// incomplete by then stay above the position.
/// </remarks>
internal sealed class UnsafeBatchEnd(IProcessingStrategy strategy, EventTracker tracker, PartitionOwnership ownership, ProcessingFaults faults, ILogger log)
    : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        try
        {
            await strategy.DispatchAsync(batch, cancellationToken);
        }
        catch (Exception failure)
        {
            // Of several failures a loop may throw any.
            if (faults.All is [.., var fault])
            {
                throw new ProcessingFaultException(fault, failure);
            }

            if (ownership.IsEnding)
            {
                throw new OperationCanceledException(failure.Message, failure, ownership.Writes);
            }

            Log.FailureIgnored(log, ownership.PartitionId, failure);
        }

        if (tracker.PassOver() is > 0 and var left)
        {
            Log.PassedOver(log, ownership.PartitionId, left);
        }
    }

    public ValueTask DrainAsync(CancellationToken cancellationToken) => strategy.DrainAsync(cancellationToken);

    public ValueTask DisposeAsync() => strategy.DisposeAsync();
}
