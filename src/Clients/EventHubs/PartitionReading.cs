using System.Globalization;
using System.Runtime.CompilerServices;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Reads what a partition holds, once, without owning it.</summary>
internal static class PartitionReading
{
    public const int Prefetch = 300;

    public static async IAsyncEnumerable<EventBatch> ReadAsync(
        ServiceConnection connection,
        PartitionReceiverOptions options,
        long through,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        PartitionReceiver receiver = new(connection, options);
        await using (receiver.ConfigureAwait(false))
        {
            for (long last = long.MinValue; last < through; )
            {
                EventBatch batch = await NextAsync(connection, receiver, options, cancellationToken).ConfigureAwait(false);
                last = batch.Events[^1].SequenceNumber;
                yield return batch;
            }
        }
    }

    private static async Task<EventBatch> NextAsync(
        ServiceConnection connection,
        PartitionReceiver receiver,
        PartitionReceiverOptions options,
        CancellationToken cancellationToken
    )
    {
        TimeSpan limit = connection.Retrier.Options.OperationTimeout;
        using DeadlinePool.Deadline deadline = connection.Retrier.Deadlines.Start(limit, cancellationToken);
        try
        {
            return await receiver.ReceiveAsync(deadline.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new MessagingException(
                FailureKind.Unreachable,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"event hub '{options.Hub}' partition {options.PartitionId}: no event for {limit.TotalSeconds:0.###} s although its end was not reached"
                )
            );
        }
    }
}
