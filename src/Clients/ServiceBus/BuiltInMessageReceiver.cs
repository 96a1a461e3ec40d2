using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// Receives over one link. Locked messages are settled in two phases: the outcome is sent, and settled when the service has answered. One receive at a time.
/// Settling may be concurrent.
/// </summary>
internal sealed class BuiltInMessageReceiver : IMessageReceiver
{
    private const int TagLength = 16;

    private static readonly TimeSpan DrainLimit = TimeSpan.FromSeconds(2);

    private readonly ServiceConnection connection;
    private readonly string entity;
    private readonly MessageReceiverOptions options;
    private readonly ILogger log;
    private readonly EntityLabel label;
    private readonly Retrier retrier;
    private readonly string clientId = Guid.NewGuid().ToString("N");
    private readonly SemaphoreSlim receiving = new(1, 1);
    private readonly MessageManagement management;
    private readonly QueuedLocks locks;

    // Written while `receiving` is held.
    private AmqpReceiver? link;
    private int disposed;

    // Written by the timer of the queued locks, whose calls are sequential.
    private Task returning = Task.CompletedTask;

    public BuiltInMessageReceiver(ServiceConnection connection, string entity, MessageReceiverOptions options, ILogger log)
    {
        OptionLimits.Require(options.Problems(), nameof(options));
        this.connection = connection;
        this.entity = entity;
        this.options = options;
        this.log = log;
        label = EntityLabel.Messages(entity);
        retrier = connection.Retrier;
        management = new MessageManagement(connection, entity, () => link?.Name);
        locks = new QueuedLocks(retrier.TimeProvider, () => returning = ReturnDueAsync(returning));
    }

    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximum, 1);
        await receiving.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(disposed != 0, this);
            return await ReceiveRetriedAsync(maximum, wait, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            receiving.Release();
        }
    }

    public Task CompleteAsync(ReceivedMessage message, CancellationToken cancellationToken) =>
        SettleAsync(message, MessageDisposition.Complete, cancellationToken);

    public Task AbandonAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
        SettleAsync(message, MessageDisposition.Abandon(propertiesToModify), cancellationToken);

    public Task DeferAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
        SettleAsync(message, MessageDisposition.Defer(propertiesToModify), cancellationToken);

    public Task DeadLetterAsync(ReceivedMessage message, string reason, string? description, CancellationToken cancellationToken) =>
        SettleAsync(message, MessageDisposition.DeadLetter(reason, description), cancellationToken);

    public Task<IReadOnlyList<ReceivedMessage>> ReceiveDeferredAsync(IReadOnlyList<long> sequenceNumbers, CancellationToken cancellationToken) =>
        management.ReceiveDeferredAsync(sequenceNumbers, options.ReceiveAndDelete, cancellationToken);

    public Task<DateTimeOffset> RenewLockAsync(ReceivedMessage message, CancellationToken cancellationToken) =>
        management.RenewAsync(GetToken(message), cancellationToken);

    public Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long fromSequenceNumber, int maximum, CancellationToken cancellationToken) =>
        management.PeekAsync(fromSequenceNumber, maximum, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) != 0)
        {
            return;
        }

        locks.Dispose();
        await returning.ConfigureAwait(false);
        await receiving.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        await DrainAsync().ConfigureAwait(false);
        await ReturnQueuedAsync().ConfigureAwait(false);
        await CloseLinkAsync().ConfigureAwait(false);
        await management.DisposeAsync().ConfigureAwait(false);
        receiving.Release();
        await returning.ConfigureAwait(false);
    }

    private async Task<IReadOnlyList<ReceivedMessage>> ReceiveRetriedAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken)
    {
        var started = retrier.TimeProvider.GetTimestamp();
        for (var retry = 0; ; retry++)
        {
            MessagingException failure;
            try
            {
                var open = await OpenAsync(cancellationToken).ConfigureAwait(false);
                var left = wait - retrier.TimeProvider.GetElapsedTime(started);
                return await TakeAsync(open, maximum, left, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
            {
                failure = connection.GetFailure(exception, label, entity);
            }

            await CloseLinkAsync().ConfigureAwait(false);
            if (!failure.IsTransient || retry >= retrier.Options.MaximumRetries)
            {
                throw failure;
            }

            var delay = retrier.NextDelay(retry);
            Log.ReceivingInterrupted(log, label.ToString(), delay, failure);
            await Task.Delay(delay, retrier.TimeProvider, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<List<ReceivedMessage>> TakeAsync(AmqpReceiver open, int maximum, TimeSpan wait, CancellationToken cancellationToken)
    {
        List<ReceivedMessage> messages = [];
        TakeQueued(open, messages, maximum);
        if (messages.Count > 0)
        {
            return messages;
        }

        if (options.Prefetch == 0)
        {
            open.TopUpCredit((uint)maximum);
        }

        using var deadline = retrier.Deadlines.Start(wait > TimeSpan.Zero ? wait : TimeSpan.Zero, cancellationToken);
        try
        {
            messages.Add(Decode(await open.ReceiveAsync(deadline.Token).ConfigureAwait(false)));
        }
        catch (OperationCanceledException)
        {
            // Open credit would lock messages for a receiver that has stopped waiting. Messages that arrive until then stay for the next call.
            await DrainAsync().ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        TakeQueued(open, messages, maximum);
        return messages;
    }

    private void TakeQueued(AmqpReceiver open, List<ReceivedMessage> messages, int maximum)
    {
        while (messages.Count < maximum && open.TryReceive(out var delivery))
        {
            messages.Add(Decode(delivery));
        }
    }

    private ReceivedMessage Decode(IncomingDelivery delivery) =>
        MessageDecoder.Decode(delivery.Payload) with
        {
            // The service writes the token in .NET's byte order.
            LockToken = delivery.Tag.Length == TagLength ? new Guid(delivery.Tag.Span) : Guid.Empty,
            Handle = options.ReceiveAndDelete ? null : delivery,
        };

    private async Task SettleAsync(ReceivedMessage message, MessageDisposition disposition, CancellationToken cancellationToken)
    {
        var token = GetToken(message);
        if (
            message.Handle is not IncomingDelivery { Receiver.IsOpen: true } delivery
            || !await SettleOnLinkAsync(delivery, disposition.State, cancellationToken).ConfigureAwait(false)
        )
        {
            await management.SettleAsync(token, disposition, cancellationToken).ConfigureAwait(false);
        }
    }

    private Guid GetToken(ReceivedMessage message) =>
        options.ReceiveAndDelete ? throw new MessagingException(FailureKind.Permanent, $"{label}: a message that was deleted on delivery cannot be settled")
        : message.LockToken == Guid.Empty
            ? throw new MessagingException(FailureKind.LockLost, $"{label}: message {message.SequenceNumber} was given without a lock")
        : message.LockToken;

    // False when the link closed before the answer. Then the outcome is unknown, and is settled through management.
    private async Task<bool> SettleOnLinkAsync(IncomingDelivery delivery, DeliveryState state, CancellationToken cancellationToken)
    {
        DeliveryState? answer;
        using var deadline = retrier.Deadlines.Start(retrier.Options.TryTimeout, cancellationToken);
        try
        {
            answer = await delivery.Receiver.SettleAsync(delivery, state, deadline.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is AmqpException || (exception is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            Log.SettlementUnanswered(log, label.ToString(), exception);
            return false;
        }

        return answer switch
        {
            Rejected { Error: { } error } => throw Failures.Of(error, label),
            null => false,
            _ => true,
        };
    }

    private async Task<AmqpReceiver> OpenAsync(CancellationToken cancellationToken)
    {
        if (link is not null)
        {
            return link;
        }

        // The wait for a connection has a separate limit, after which it reports that the service is unreachable.
        await connection.GetAsync(cancellationToken).ConfigureAwait(false);
        using var deadline = retrier.Deadlines.Start(retrier.Options.OperationTimeout, cancellationToken);
        var session = await connection.BeginSessionAsync(entity, label, deadline.Token).ConfigureAwait(false);
        try
        {
            link = await session
                .AttachReceiverAsync(
                    new Attach
                    {
                        Name = $"{clientId}:{Guid.NewGuid():N}",
                        SndSettleMode = options.ReceiveAndDelete ? SenderSettleMode.Settled : SenderSettleMode.Unsettled,
                        RcvSettleMode = options.ReceiveAndDelete ? ReceiverSettleMode.First : ReceiverSettleMode.Second,
                        Source = new Source { Address = entity },
                        Target = new Target { Address = clientId },
                        Properties = new AmqpMap { { new AmqpSymbol(AmqpNames.ReceiverName), clientId } },
                    },
                    0,
                    deadline.Token
                )
                .ConfigureAwait(false);
        }
        catch
        {
            await session.EndQuietlyAsync(retrier).ConfigureAwait(false);
            throw;
        }

        if (options.Prefetch > 0)
        {
            link.MessageQueued = options.ReceiveAndDelete ? null : locks.Add;
            link.SetPrefetch((uint)options.Prefetch);
        }

        return link;
    }

    private async Task DrainAsync()
    {
        // On disposal also without credit: messages taken from the queue would be requested again.
        if (link is not { IsOpen: true } open || (options.Prefetch > 0 && disposed == 0))
        {
            return;
        }

        using var limit = new CancellationTokenSource(DrainLimit, retrier.TimeProvider);
        try
        {
            await open.DrainAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is AmqpException or OperationCanceledException)
        {
            // The link is closed next, or found broken by the next receive.
            Log.NotDrained(log, label.ToString(), exception);
        }
    }

    // Messages that were not taken are released immediately, before their locks end. They do not count as delivered.
    private async Task ReturnQueuedAsync()
    {
        if (link is not { } open || options.ReceiveAndDelete)
        {
            return;
        }

        List<IncomingDelivery> queued = [];
        while (open.TryReceive(out var delivery))
        {
            queued.Add(delivery);
        }

        await ReturnAsync(queued).ConfigureAwait(false);
    }

    // Messages that were not taken within half of their locks. The service delivers them again with new locks, to this receiver or to a quicker one.
    private async Task ReturnDueAsync(Task before)
    {
        await before.ConfigureAwait(false);
        List<IncomingDelivery> due = [];
        await receiving.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            while (disposed == 0 && link?.TryPeek(out var oldest) == true)
            {
                if (!locks.IsDue(oldest))
                {
                    locks.Watch(oldest);
                    break;
                }

                if (link.TryReceive(out var taken))
                {
                    due.Add(taken);
                }
            }
        }
        finally
        {
            receiving.Release();
        }

        await ReturnAsync(due).ConfigureAwait(false);
    }

    // Released (AMQP 1.0 part 3, 3.4.4) leaves the delivery count as it is.
    private async Task ReturnAsync(List<IncomingDelivery> deliveries)
    {
        if (deliveries.Count == 0)
        {
            return;
        }

        using var limit = new CancellationTokenSource(DrainLimit, retrier.TimeProvider);
        try
        {
            await Task.WhenAll(deliveries.Select(one => one.Receiver.SettleAsync(one, Released.Instance, limit.Token))).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is AmqpException or OperationCanceledException)
        {
            Log.NotReturned(log, label.ToString(), exception);
        }
    }

    private async Task CloseLinkAsync()
    {
        if (link is { } open)
        {
            link = null;
            await open.Session.EndQuietlyAsync(retrier).ConfigureAwait(false);
        }
    }
}
