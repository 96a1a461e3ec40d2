using System.Globalization;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Reads one partition in batches over one link. A lost link is attached again after the last returned event, so nothing is missing and nothing is delivered
/// twice. One caller at a time.
/// </summary>
internal sealed class PartitionReceiver(ServiceConnection connection, PartitionReceiverOptions options, ILogger log) : IAsyncDisposable
{
    private readonly EntityLabel entity = EntityLabel.EventHub(options.Hub);
    private readonly string address = EntityAddress.OfPartitionReader(options.Hub, options.ConsumerGroup, options.PartitionId);
    private readonly TimeProvider timeProvider = connection.Retrier.TimeProvider;
    private AmqpReceiver? receiver;
    private long? lastSequenceNumber;

    /// <summary>
    /// Reads the next batch, which has at least one event. With prefetch it is what is queued. Without prefetch, credit for one batch is granted. The batch
    /// ends when it is full or when the build interval since its first event has passed.
    /// </summary>
    /// <exception cref="MessagingException">Kind OwnershipLost when another reader has the partition. Other kinds when reading failed for good.</exception>
    public async Task<EventBatch> ReceiveAsync(CancellationToken cancellationToken)
    {
        long? failingSince = null;
        for (var retry = 0; ; retry++)
        {
            MessagingException failure;
            long? attached = null;
            try
            {
                var open = await OpenAsync(cancellationToken).ConfigureAwait(false);
                attached = timeProvider.GetTimestamp();
                var events = await GatherAsync(open, cancellationToken).ConfigureAwait(false);
                lastSequenceNumber = events[^1].SequenceNumber;
                return new EventBatch(options.PartitionId, events);
            }
            catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
            {
                failure = connection.GetFailure(exception, entity, address);
            }

            await CloseLinkAsync().ConfigureAwait(false);
            if (failure.Kind == FailureKind.Permanent && attached is null)
            {
                // A missing partition or right has another error, so the position is the cause.
                var place = lastSequenceNumber is { } last ? ReadPosition.OfEvent(last) : options.Place;
                throw ReadPosition.Refused(failure, entity.ToString(), options.PartitionId, place);
            }

            if (!failure.IsTransient)
            {
                throw failure;
            }

            var now = timeProvider.GetTimestamp();
            if (attached is { } since && timeProvider.GetElapsedTime(since, now) >= options.UnreachableLimit)
            {
                // The link has been open, maybe on a quiet partition: this failure is not related to an earlier one.
                failingSince = null;
                retry = 0;
            }

            failingSince ??= now;
            if (timeProvider.GetElapsedTime(failingSince.Value, now) >= options.UnreachableLimit)
            {
                Log.ReadingGivenUp(log, options.PartitionId, options.Hub, options.UnreachableLimit, failure);
                throw new MessagingException(
                    FailureKind.Unreachable,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{entity} partition {options.PartitionId} at {connection.Retrier.Host} unreadable for {options.UnreachableLimit.TotalSeconds:0.###} s"
                    ),
                    failure
                );
            }

            var delay = connection.Retrier.NextDelay(retry);
            Log.ReadingInterrupted(log, options.PartitionId, options.Hub, delay, failure);
            await Task.Delay(delay, timeProvider, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Attaches the link without reading.</summary>
    /// <exception cref="MessagingException">The service refuses the link or does not answer.</exception>
    public async Task AttachAsync(CancellationToken cancellationToken) =>
        await connection
            .Retrier.RunAsync(
                this,
                static async (receiver, token) =>
                {
                    await receiver.OpenAsync(token).ConfigureAwait(false);
                    return true;
                },
                entity,
                cancellationToken
            )
            .ConfigureAwait(false);

    public async ValueTask DisposeAsync() => await CloseLinkAsync().ConfigureAwait(false);

    private async Task<List<ReceivedEvent>> GatherAsync(AmqpReceiver open, CancellationToken cancellationToken)
    {
        var events = new List<ReceivedEvent>(Math.Min(options.BatchSize, 64));
        try
        {
            TakeQueued(open, events);
            if (options.Prefetch == 0)
            {
                await GatherWithCreditAsync(open, events, cancellationToken).ConfigureAwait(false);
            }
            else if (events.Count == 0)
            {
                events.Add(Decode(await open.ReceiveAsync(cancellationToken).ConfigureAwait(false)));
                TakeQueued(open, events);
            }
        }
        catch (Exception exception) when (events.Count > 0 && exception is AmqpException or OperationCanceledException)
        {
            // The collected events are good. The event that cannot be decoded has left the queue. So the next read must attach again after these events.
            // Otherwise that event would be missing without a failure.
            if (exception is AmqpException)
            {
                await CloseLinkAsync().ConfigureAwait(false);
            }
        }

        return events;
    }

    private async Task GatherWithCreditAsync(AmqpReceiver open, List<ReceivedEvent> events, CancellationToken cancellationToken)
    {
        // Credit that an earlier, partial batch left open counts: never more than one batch is under way.
        var missing = (long)options.BatchSize - events.Count - open.Credit;
        if (missing > 0)
        {
            open.AddCredit((uint)missing);
        }

        if (events.Count == 0)
        {
            events.Add(Decode(await open.ReceiveAsync(cancellationToken).ConfigureAwait(false)));
        }

        TakeQueued(open, events);
        if (events.Count >= options.BatchSize)
        {
            return;
        }

        using var interval = connection.Retrier.Deadlines.Start(options.BuildInterval, cancellationToken);
        try
        {
            while (events.Count < options.BatchSize)
            {
                events.Add(Decode(await open.ReceiveAsync(interval.Token).ConfigureAwait(false)));
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The interval has passed.
        }
    }

    private void TakeQueued(AmqpReceiver open, List<ReceivedEvent> events)
    {
        while (events.Count < options.BatchSize && open.TryReceive(out var delivery))
        {
            events.Add(Decode(delivery));
        }
    }

    private ReceivedEvent Decode(IncomingDelivery delivery)
    {
        // The link asked for settled deliveries. A service that sends others would wait for the answer.
        if (!delivery.Settled)
        {
            delivery.Receiver.Settle(delivery, Accepted.Instance);
        }

        return EventDecoder.Decode(options.PartitionId, delivery.Payload);
    }

    private async Task<AmqpReceiver> OpenAsync(CancellationToken cancellationToken)
    {
        // A closed link may still have events that arrived before its end.
        if (receiver is not null)
        {
            return receiver;
        }

        // The wait for a connection has a separate limit, after which it reports that the service is unreachable.
        await connection.GetAsync(cancellationToken).ConfigureAwait(false);
        using var deadline = connection.Retrier.Deadlines.Start(connection.Retrier.Options.OperationTimeout, cancellationToken);
        var session = await connection.BeginSessionAsync(address, entity, deadline.Token).ConfigureAwait(false);
        try
        {
            receiver = await session.AttachReceiverAsync(Attachment(), 0, deadline.Token).ConfigureAwait(false);
        }
        catch
        {
            await session.EndQuietlyAsync(connection.Retrier).ConfigureAwait(false);
            throw;
        }

        if (options.Prefetch > 0)
        {
            receiver.SetPrefetch((uint)options.Prefetch);
        }

        return receiver;
    }

    private Attach Attachment()
    {
        var expression = lastSequenceNumber is { } last ? FilterExpression.AfterSequenceNumber(last) : options.Start;
        var properties = new AmqpMap()
        {
            { new AmqpSymbol(AmqpNames.EntityType), AmqpNames.EntityTypePartitionReceiver },
            { new AmqpSymbol(AmqpNames.ReceiverName), options.Identifier },
        };
        if (options.Epoch is { } epoch)
        {
            properties.Add(new AmqpSymbol(AmqpNames.Epoch), epoch);
        }

        return new Attach
        {
            Name = $"{options.Identifier}:{options.PartitionId}:{Guid.NewGuid():N}",
            SndSettleMode = SenderSettleMode.Settled,
            Source = new Source
            {
                Address = address,
                Filter = new AmqpMap { { new AmqpSymbol(AmqpNames.SelectorFilter), new AmqpDescribed(AmqpNames.SelectorFilterCodeDotNet, expression) } },
            },
            Target = new Target { Address = options.Identifier },
            Properties = properties,
        };
    }

    private async Task CloseLinkAsync()
    {
        if (receiver is { } link)
        {
            receiver = null;
            await link.Session.EndQuietlyAsync(connection.Retrier).ConfigureAwait(false);
        }
    }
}
