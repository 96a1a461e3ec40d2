using System.Globalization;
using System.Runtime.CompilerServices;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Reads the events of a partition once, without owning it.</summary>
internal static class PartitionReading
{
    public const int Prefetch = 300;

    public static async IAsyncEnumerable<EventBatch> ReadAsync(
        ServiceConnection connection,
        PartitionReceiverOptions options,
        ILogger log,
        long through,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        var receiver = new PartitionReceiver(connection, options, log);
        await using (receiver.ConfigureAwait(false))
        {
            for (var last = long.MinValue; last < through; )
            {
                var batch = await NextAsync(connection, receiver, options, cancellationToken).ConfigureAwait(false);
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
        var limit = connection.Retrier.Options.OperationTimeout;
        using var deadline = connection.Retrier.Deadlines.Start(limit, cancellationToken);
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
