using System.Runtime.ExceptionServices;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// Hands each message of a peek-lock receiver to a handler, up to a limit at one time, renews its lock meanwhile and settles it by the outcome. It
/// never asks for more messages than it has free places, so that what is in work and what was asked for together stay within the limit.
/// Only a receiver with a prefetch queues more, up to that. A message whose lock has run out by then is handled only once the service has renewed it.
/// </summary>
public sealed class MessageProcessor
{
    private const string RefusedReason = "HandlerRefused";

    private readonly IMessageReceiver receiver;
    private readonly Func<ReceivedMessage, CancellationToken, ValueTask<MessageOutcome>> handle;
    private readonly MessageProcessorOptions options;
    private readonly Action<MessageProcessorError>? errorHandler;
    private readonly ILogger log;
    private readonly MessageCounters tally = new();
    private readonly ReceiveRetryPolicy retries;
    private readonly SemaphoreSlim free;

    // Touched by the receiving loop and by handlers that end.
    private readonly Lock gate = new();
    private readonly Stack<HandlerSlot> idle = new();
    private readonly List<HandlerSlot> places = [];
    private int started;

    /// <param name="receiver">Gives locked messages. It stays the caller's, who disposes it after <see cref="RunAsync"/>: that gives back what nobody has taken.</param>
    /// <param name="handle">
    /// Called for each message, concurrently. Its token is cancelled when the message's lock is lost and when a stop has lasted for the drain
    /// limit. What it throws is told to the error handler, and the message abandoned.
    /// </param>
    /// <param name="options">Limits, retries and the clock.</param>
    /// <exception cref="ArgumentOutOfRangeException">A limit is out of its range.</exception>
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

    /// <summary>What has been done so far.</summary>
    public MessageProcessorCounts Counts => tally.Counts;

    /// <summary>
    /// Processes until <paramref name="stoppingToken"/> is cancelled: then nothing more is received, handlers finish, their messages are settled, and it returns.
    /// A handler that heeds no token is waited for. Runs once.
    /// </summary>
    /// <exception cref="MessagingException">Receiving failed for good, or its retries are used up. Thrown when the handlers have finished.</exception>
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
                // Handlers only add to the places that are free, so this is what there is at least.
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
                    // Completes at once, unless a receiver gives more than was asked for. What was received is handled, stop or not.
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
                Tell(MessageProcessorStep.Receive, failure, null);
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

        tally.Begin();
        place.Running = ProcessAsync(place, message, context);
    }

    // Never faults, and gives its place back in any case.
    private async Task ProcessAsync(HandlerSlot place, ReceivedMessage message, HandlerContext context)
    {
        // The handler's first steps are its own, not the receiving loop's.
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
            // A receiver threw what its contract does not allow: what became of the message is not known.
            tally.LeaveUnsettled();
            Tell(MessageProcessorStep.Settle, exception, message);
        }
        finally
        {
            tally.End();
            lock (gate)
            {
                idle.Push(place);
            }

            free.Release();
        }
    }

    // The message with a lock that holds. Null when it has none any more. By our clock it may have run out while the message was queued: only the
    // service knows, and is asked by a renewal.
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
                tally.LeaveUnsettled();
                return null;
            }
            catch (MessagingException failure)
            {
                Tell(MessageProcessorStep.RenewLock, failure, message);
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
            tally.LoseLock();
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
                tally.FailHandler();
                Tell(MessageProcessorStep.Handle, exception, message);
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
                // Not cancelled by a stop: what was handled is to be settled.
                await SettleOnceAsync(message, outcome, CancellationToken.None).ConfigureAwait(false);
                tally.Settle(outcome);
                return;
            }
            catch (MessagingException failure)
            {
                Tell(MessageProcessorStep.Settle, failure, message);
                if (!await MayTryAgainAsync(failure, retry, giveUp).ConfigureAwait(false))
                {
                    return;
                }
            }
        }
    }

    // After the wait. False when the message is left as it is, which is counted.
    private async Task<bool> MayTryAgainAsync(MessagingException failure, int retry, CancellationToken giveUp)
    {
        if (failure.Kind == FailureKind.LockLost)
        {
            tally.LoseLock();
            return false;
        }

        if (giveUp.IsCancellationRequested || !await WaitAsync(failure, retry, giveUp).ConfigureAwait(false))
        {
            tally.LeaveUnsettled();
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

    private void Renewing(ReceivedMessage message, MessagingException failure) => Tell(MessageProcessorStep.RenewLock, failure, message);

    // A handler may have registered code of its own for the cancellation.
    private void Cancel(HandlerSlot place) => GuardedCallback.Run(place.Cancel, "the handler's cancellation", log);

    private void Cancel(CancellationTokenSource handling) => GuardedCallback.Run(handling.Cancel, "the handler's cancellation", log);

    private void Tell(MessageProcessorStep step, Exception exception, ReceivedMessage? message) =>
        errorHandler?.Invoke(new MessageProcessorError(step, exception, message));

    private sealed record HandlerContext(LockRenewal Renewal, CancellationToken GiveUp);
}
