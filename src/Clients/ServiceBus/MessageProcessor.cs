using System.Runtime.ExceptionServices;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// Passes each message of a peek-lock receiver to a handler, up to a limit of concurrent messages. It renews the lock in the meantime and settles the message
/// by the outcome. It never requests more messages than it has free places. So the messages in work and the requested ones together stay within the limit.
/// Only a receiver with a prefetch queues more. A message whose lock has ended by then is handled only after the service has renewed it.
/// </summary>
public sealed class MessageProcessor
{
    private const string RefusedReason = "HandlerRefused";

    private readonly IMessageReceiver receiver;
    private readonly Func<ReceivedMessage, CancellationToken, ValueTask<MessageOutcome>> handle;
    private readonly MessageProcessorOptions options;
    private readonly Action<MessageProcessorError>? errorHandler;
    private readonly ILogger log;
    private readonly MessageCounters counters = new();
    private readonly ReceiveRetryPolicy retries;
    private readonly SemaphoreSlim free;

    // Used by the receiving loop and by handlers that end.
    private readonly Lock gate = new();
    private readonly Stack<HandlerSlot> idle = new();
    private readonly List<HandlerSlot> places = [];
    private int started;

    /// <param name="receiver">
    /// Returns locked messages. The caller disposes of it after <see cref="RunAsync"/>, which releases messages that were not taken.
    /// </param>
    /// <param name="handle">
    /// Called for each message, concurrently. Its token is cancelled when the message's lock is lost and when a stop has lasted for the drain limit. If it
    /// throws, the error handler receives the exception, and the message is abandoned.
    /// </param>
    /// <param name="options">Limits, retries and the clock.</param>
    /// <exception cref="ArgumentOutOfRangeException">A limit is outside of its range.</exception>
    public MessageProcessor(
        IMessageReceiver receiver,
        Func<ReceivedMessage, CancellationToken, ValueTask<MessageOutcome>> handle,
        MessageProcessorOptions options
    )
    {
        ArgumentNullException.ThrowIfNull(receiver);
        ArgumentNullException.ThrowIfNull(handle);
        ArgumentNullException.ThrowIfNull(options);
        OptionLimits.Require(options.Problems(), nameof(options));

        this.receiver = receiver;
        this.handle = handle;
        this.options = options;
        log = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger(Log.ServiceBus);
        errorHandler = GuardedCallback.Of(options.ErrorHandler, nameof(options.ErrorHandler), log);
        retries = new ReceiveRetryPolicy(options.Retry, options.TimeProvider, options.Seed);
        free = new SemaphoreSlim(options.MaximumConcurrentCalls);
    }

    /// <summary>The counts up to now.</summary>
    public MessageProcessorCounts Counts => counters.Counts;

    /// <summary>
    /// Processes until <paramref name="stoppingToken"/> is cancelled. Then nothing more is received, handlers finish, their messages are settled, and it
    /// returns. It waits also for a handler that ignores its token. Runs once.
    /// </summary>
    /// <exception cref="MessagingException">Receiving failed for good, or its retries are used up. It is thrown after the handlers have finished.</exception>
    public async Task RunAsync(CancellationToken stoppingToken)
    {
        if (Interlocked.Exchange(ref started, 1) != 0)
        {
            throw new InvalidOperationException("A processor runs once.");
        }

        ExceptionDispatchInfo? failure = null;
        using var giveUp = new CancellationTokenSource();
        var renewal = new LockRenewal(receiver, options.MaximumLockRenewal, options.TimeProvider, Renewing, log);
        await using (renewal.ConfigureAwait(false))
        {
            try
            {
                await ReceiveAsync(new HandlerContext(renewal, giveUp.Token), stoppingToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested) { }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }

            await DrainAsync(giveUp).ConfigureAwait(false);
        }

        failure?.Throw();
    }

    private async Task ReceiveAsync(HandlerContext context, CancellationToken stoppingToken)
    {
        while (true)
        {
            await free.WaitAsync(stoppingToken).ConfigureAwait(false);
            IReadOnlyList<ReceivedMessage> messages;
            try
            {
                // Handlers only add free places, so this is the least number.
                messages = await ReceiveRetriedAsync(1 + free.CurrentCount, stoppingToken).ConfigureAwait(false);
            }
            catch
            {
                free.Release();
                throw;
            }

            if (messages.Count == 0)
            {
                free.Release();
                continue;
            }

            for (var index = 0; index < messages.Count; index++)
            {
                if (index > 0)
                {
                    // Completes immediately, unless a receiver returns more than was requested. Received messages are handled even after a stop.
                    await free.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                }

                Start(messages[index], context);
            }
        }
    }

    private async Task<IReadOnlyList<ReceivedMessage>> ReceiveRetriedAsync(int maximum, CancellationToken stoppingToken)
    {
        for (var retry = 0; ; )
        {
            stoppingToken.ThrowIfCancellationRequested();
            try
            {
                return await receiver.ReceiveAsync(maximum, options.ReceiveWait, stoppingToken).ConfigureAwait(false);
            }
            catch (MessagingException failure)
            {
                ReportError(MessageProcessorStep.Receive, failure, null);
                if (!await retries.WaitAsync(failure, retry, stoppingToken).ConfigureAwait(false))
                {
                    throw;
                }

                retry += ReceiveRetryPolicy.Counts(failure) ? 1 : 0;
            }
        }
    }

    private void Start(ReceivedMessage message, HandlerContext context)
    {
        HandlerSlot? place;
        lock (gate)
        {
            if (!idle.TryPop(out place))
            {
                place = new HandlerSlot();
                places.Add(place);
            }
        }

        counters.Begin();
        place.Running = ProcessAsync(place, message, context);
    }

    // Never faults, and frees its place in any case.
    private async Task ProcessAsync(HandlerSlot place, ReceivedMessage message, HandlerContext context)
    {
        // The handler starts on another thread than the receiving loop.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            if (await WithLockAsync(message, context.GiveUp).ConfigureAwait(false) is { } locked)
            {
                await HandleAsync(place, locked, context).ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            // A receiver threw an exception that its contract does not allow: the state of the message is unknown.
            counters.LeaveUnsettled();
            ReportError(MessageProcessorStep.Settle, exception, message);
        }
        finally
        {
            counters.End();
            lock (gate)
            {
                idle.Push(place);
            }

            free.Release();
        }
    }

    // The message with a valid lock. Null when it has none any more. By our clock the lock may have ended while the message was queued. Only the service can
    // decide that, so a renewal asks it.
    private async Task<ReceivedMessage?> WithLockAsync(ReceivedMessage message, CancellationToken giveUp)
    {
        if (message.LockToken == Guid.Empty || message.LockedUntil > options.TimeProvider.GetUtcNow())
        {
            return message;
        }

        for (var retry = 0; ; retry++)
        {
            try
            {
                return message with { LockedUntil = await receiver.RenewLockAsync(message, giveUp).ConfigureAwait(false) };
            }
            catch (OperationCanceledException) when (giveUp.IsCancellationRequested)
            {
                counters.LeaveUnsettled();
                return null;
            }
            catch (MessagingException failure)
            {
                ReportError(MessageProcessorStep.RenewLock, failure, message);
                if (!await MayTryAgainAsync(failure, retry, giveUp).ConfigureAwait(false))
                {
                    return null;
                }
            }
        }
    }

    private async Task HandleAsync(HandlerSlot place, ReceivedMessage message, HandlerContext context)
    {
        var handling = place.Begin();
        if (context.GiveUp.IsCancellationRequested)
        {
            Cancel(place);
        }

        using var held = context.Renewal.Hold(message, () => Cancel(handling));
        var outcome = await OutcomeAsync(message, handling.Token).ConfigureAwait(false);
        if (held.IsLost)
        {
            counters.LoseLock();
        }
        else
        {
            await SettleAsync(message, outcome, context.GiveUp).ConfigureAwait(false);
        }
    }

    private async Task<MessageOutcome> OutcomeAsync(ReceivedMessage message, CancellationToken token)
    {
        try
        {
            return await handle(message, token).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            if (exception is not OperationCanceledException || !token.IsCancellationRequested)
            {
                counters.FailHandler();
                ReportError(MessageProcessorStep.Handle, exception, message);
            }

            return MessageOutcome.Abandon;
        }
    }

    private async Task SettleAsync(ReceivedMessage message, MessageOutcome outcome, CancellationToken giveUp)
    {
        for (var retry = 0; ; retry++)
        {
            try
            {
                // A stop does not cancel this: a handled message must be settled.
                await SettleOnceAsync(message, outcome, CancellationToken.None).ConfigureAwait(false);
                counters.Settle(outcome);
                return;
            }
            catch (MessagingException failure)
            {
                ReportError(MessageProcessorStep.Settle, failure, message);
                if (!await MayTryAgainAsync(failure, retry, giveUp).ConfigureAwait(false))
                {
                    return;
                }
            }
        }
    }

    // Called after the wait. False when the message is left as it is, which is counted.
    private async Task<bool> MayTryAgainAsync(MessagingException failure, int retry, CancellationToken giveUp)
    {
        if (failure.Kind == FailureKind.LockLost)
        {
            counters.LoseLock();
            return false;
        }

        if (giveUp.IsCancellationRequested || !await WaitAsync(failure, retry, giveUp).ConfigureAwait(false))
        {
            counters.LeaveUnsettled();
            return false;
        }

        return true;
    }

    private async Task<bool> WaitAsync(MessagingException failure, int retry, CancellationToken giveUp)
    {
        try
        {
            return await retries.WaitAsync(failure, retry, giveUp).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private Task SettleOnceAsync(ReceivedMessage message, MessageOutcome outcome, CancellationToken cancellationToken) =>
        outcome switch
        {
            MessageOutcome.Complete => receiver.CompleteAsync(message, cancellationToken),
            MessageOutcome.Abandon => receiver.AbandonAsync(message, cancellationToken),
            MessageOutcome.Defer => receiver.DeferAsync(message, null, cancellationToken),
            MessageOutcome.DeadLetter => receiver.DeadLetterAsync(message, RefusedReason, null, cancellationToken),
            _ => Task.CompletedTask,
        };

    private async Task DrainAsync(CancellationTokenSource giveUp)
    {
        var handlers = Task.WhenAll(places.Select(static place => place.Running));
        try
        {
            await handlers.WaitAsync(options.DrainLimit, options.TimeProvider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            await giveUp.CancelAsync().ConfigureAwait(false);
            places.ForEach(Cancel);
            await handlers.ConfigureAwait(false);
        }
    }

    private void Renewing(ReceivedMessage message, MessagingException failure) => ReportError(MessageProcessorStep.RenewLock, failure, message);

    // A handler may have registered a callback for the cancellation.
    private void Cancel(HandlerSlot place) => GuardedCallback.Run(place.Cancel, "the handler's cancellation", log);

    private void Cancel(CancellationTokenSource handling) => GuardedCallback.Run(handling.Cancel, "the handler's cancellation", log);

    private void ReportError(MessageProcessorStep step, Exception exception, ReceivedMessage? message) =>
        errorHandler?.Invoke(new MessageProcessorError(step, exception, message));

    private sealed record HandlerContext(LockRenewal Renewal, CancellationToken GiveUp);
}
