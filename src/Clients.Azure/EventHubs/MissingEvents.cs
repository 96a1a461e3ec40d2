using Azure.Messaging.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>
/// Finds events that the package has left out without a failure, as it may do at one that it cannot decode. Sequence numbers of a partition are
/// contiguous, so a gap that the hub has not made itself, by letting old events go, is a loss.
/// </summary>
internal static class MissingEvents
{
    /// <summary>Finds a gap before or within a batch, and asks the hub whether its events have expired.</summary>
    /// <param name="batch">What was delivered.</param>
    /// <param name="newest">The event before the first that is due. Null where that is not known.</param>
    /// <param name="ask">Reads what the hub has of the partition.</param>
    /// <param name="cancellationToken">Cancels the question.</param>
    /// <returns>The loss, of kind Permanent. Null when there is none.</returns>
    public static async Task<MessagingException?> FindAsync(
        EventBatch batch,
        long? newest,
        Func<CancellationToken, Task<PartitionProperties>> ask,
        CancellationToken cancellationToken
    )
    {
        foreach (var one in batch.Events)
        {
            var missing = one.SequenceNumber - 1;
            if (newest < missing && (await ask(cancellationToken).ConfigureAwait(false)).BeginningSequenceNumber <= missing)
            {
                return new MessagingException(
                    FailureKind.Permanent,
                    $"partition {batch.PartitionId}: the package delivered event {one.SequenceNumber} {(newest < 0 ? "first" : $"after {newest}")} and left out {Plural.Format(missing - newest.Value, "event")}, which it may be unable to decode"
                );
            }

            newest = one.SequenceNumber;
        }

        return null;
    }
}
