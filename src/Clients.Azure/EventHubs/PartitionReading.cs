using System.Globalization;
using System.Runtime.CompilerServices;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Reads the events of a partition once, without owning it.</summary>
internal static class PartitionReading
{
    public const int Prefetch = 300;

    /// <param name="receiver">A receiver at the position. It is closed at the end.</param>
    /// <param name="entity">The partition in messages.</param>
    /// <param name="failures">Converts failures to the exception of the clients.</param>
    /// <param name="after">The position: an event, or -1 for the partition's beginning.</param>
    /// <param name="through">Reading ends with the batch that contains this sequence number.</param>
    /// <param name="limit">The longest wait for the next event.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public static async IAsyncEnumerable<EventBatch> ReadAsync(
        PartitionReceiver receiver,
        string entity,
        EventHubFailures failures,
        long after,
        long through,
        TimeSpan limit,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        await using (receiver.ConfigureAwait(false))
        {
            for (var last = after; last < through; )
            {
                var batch =
                    await NextAsync(receiver, entity, failures, limit, cancellationToken).ConfigureAwait(false)
                    ?? throw new MessagingException(
                        FailureKind.Unreachable,
                        string.Create(CultureInfo.InvariantCulture, $"{entity}: no event for {limit.TotalSeconds:0.###} s although its end was not reached")
                    );
                if (
                    await MissingEvents
                        .FindAsync(batch, last, token => BoundsAsync(receiver, entity, failures, token), cancellationToken)
                        .ConfigureAwait(false) is
                    { } lost
                )
                {
                    throw lost;
                }

                last = batch.Events[^1].SequenceNumber;
                yield return batch;
            }
        }
    }

    private static Task<PartitionProperties> BoundsAsync(
        PartitionReceiver receiver,
        string entity,
        EventHubFailures failures,
        CancellationToken cancellationToken
    ) => failures.RunAsync(entity, () => receiver.GetPartitionPropertiesAsync(cancellationToken), cancellationToken);

    private static Task<EventBatch?> NextAsync(
        PartitionReceiver receiver,
        string entity,
        EventHubFailures failures,
        TimeSpan limit,
        CancellationToken cancellationToken
    ) =>
        failures.RunAsync(
            entity,
            async () =>
                EventConversion.ToBatch(receiver.PartitionId, await receiver.ReceiveBatchAsync(Prefetch, limit, cancellationToken).ConfigureAwait(false)),
            cancellationToken
        );
}
