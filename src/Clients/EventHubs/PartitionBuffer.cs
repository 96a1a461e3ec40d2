using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>What the buffer of a partition needs.</summary>
internal sealed record PartitionBufferContext
{
    public required string PartitionId { get; init; }

    /// <summary>The most bytes of a batch.</summary>
    public required long Limit { get; init; }

    public required BufferedEventWriterOptions Options { get; init; }

    /// <summary>Sends a batch. Must end when its token is cancelled.</summary>
    public required Func<OutgoingEventBatch, CancellationToken, Task> Send { get; init; }

    /// <summary>Called when a batch has its first event. It must be closed within the delay.</summary>
    public required Action Begun { get; init; }

    /// <summary>Receives what a callback for an outcome has thrown.</summary>
    public required Action<Exception> OutcomeRefused { get; init; }
}

/// <summary>
/// The events of one partition that are not settled yet: an open batch, which still accepts events, and closed ones. One closed batch at a time is sent,
/// which keeps the order. When the buffer is full, callers wait in a queue. May be used concurrently.
/// </summary>
internal sealed class PartitionBuffer(PartitionBufferContext context) : IAsyncDisposable
{
    private readonly Lock gate = new();
    private readonly CancellationTokenSource ended = new();

    // All fields below are guarded by `gate`.
    private readonly Queue<BufferedBatch> closed = new();
    private readonly LinkedList<WaitingEvent> waiting = new();
    private BufferedBatch? open;
    private BufferedBatch? lastClosed;
    private Task sending = Task.CompletedTask;
    private bool isSending;
    private bool isEnded;
    private int unsettled;

    /// <summary>Adds an event as soon as there is room.</summary>
    public Task AddAsync(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled, CancellationToken cancellationToken)
    {
        WaitingEvent waiter;
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(isEnded, typeof(IBufferedEventWriter));
            if (unsettled < context.Options.MaxBufferedEvents)
            {
                Take(outgoingEvent, partitionKey, settled);
                return Task.CompletedTask;
            }

            waiter = new WaitingEvent(outgoingEvent, partitionKey, settled);
            waiting.AddLast(waiter.Node);
            CloseForWaiting();
        }

        return WaitAsync(waiter, cancellationToken);
    }

    /// <summary>Closes the open batch, full or not.</summary>
    /// <returns>Completes when all events added before are settled. Cancelled when the writer ends before.</returns>
    public Task Close()
    {
        lock (gate)
        {
            CloseOpen();
            return lastClosed?.Completion ?? Task.CompletedTask;
        }
    }

    /// <summary>Abandons what is not settled: its outcomes are not reported.</summary>
    public async ValueTask DisposeAsync()
    {
        Task underWay;
        lock (gate)
        {
            if (isEnded)
            {
                return;
            }

            isEnded = true;
            underWay = sending;
            foreach (var waiter in waiting)
            {
                waiter.TryFail(new ObjectDisposedException(nameof(IBufferedEventWriter)));
            }

            waiting.Clear();
        }

        await ended.CancelAsync().ConfigureAwait(false);
        await underWay.ConfigureAwait(false);
        lock (gate)
        {
            open?.Abandon();
            foreach (var batch in closed)
            {
                batch.Abandon();
            }
        }

        ended.Dispose();
    }

    private async Task WaitAsync(WaitingEvent waiter, CancellationToken cancellationToken)
    {
        await using (
            cancellationToken
                .UnsafeRegister(
                    static (state, token) =>
                    {
                        var (buffer, waiter) = ((PartitionBuffer, WaitingEvent))state!;
                        buffer.GiveUp(waiter, token);
                    },
                    (this, waiter)
                )
                .ConfigureAwait(false)
        )
        {
            await waiter.Taken.ConfigureAwait(false);
        }
    }

    private void GiveUp(WaitingEvent waiter, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            // Otherwise it was taken, or the buffer has ended.
            if (waiter.Node.List is not null)
            {
                waiting.Remove(waiter.Node);
                waiter.TryCancel(cancellationToken);
            }
        }
    }

    // Under `gate`.
    private void Take(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled)
    {
        if (open is { } current && !current.Events.TryAdd(outgoingEvent, partitionKey))
        {
            CloseOpen();
        }

        if (open is null)
        {
            var next = new OutgoingEventBatch(null, context.PartitionId, context.Limit);
            if (!next.TryAdd(outgoingEvent, partitionKey))
            {
                throw new MessagingException(
                    FailureKind.TooLarge,
                    $"an event with a body of {outgoingEvent.Body.Length:N0} bytes exceeds the limit of {context.Limit:N0}"
                );
            }

            open = new BufferedBatch(next);
            context.Begun();
        }

        open.Expect(settled);
        unsettled++;
    }

    // Under `gate`. If all callers wait, the open batch never becomes full.
    private void CloseForWaiting()
    {
        if (waiting.Count > 0 && !isSending)
        {
            CloseOpen();
        }
    }

    // Under `gate`.
    private void CloseOpen()
    {
        if (open is { } full && !isEnded)
        {
            closed.Enqueue(full);
            lastClosed = full;
            open = null;
            if (!isSending)
            {
                isSending = true;
                sending = Task.Factory.StartNew(SendAllAsync, CancellationToken.None, TaskCreationOptions.DenyChildAttach, context.Options.Scheduler).Unwrap();
            }
        }
    }

    // Stays on the scheduler, which also runs the callbacks.
    private async Task SendAllAsync()
    {
        while (Next() is { } batch)
        {
            MessagingException? failure = null;
            try
            {
                await context.Send(batch.Events, ended.Token).ConfigureAwait(true);
            }
            catch (Exception) when (ended.IsCancellationRequested)
            {
                batch.Abandon();
                return;
            }
            catch (MessagingException exception)
            {
                failure = exception;
            }
            catch (Exception exception)
            {
                failure = new MessagingException(FailureKind.Permanent, exception.Message, exception);
            }

            batch.Settle(failure, context.OutcomeRefused);
            Free(batch.Events.Count);
        }
    }

    private BufferedBatch? Next()
    {
        lock (gate)
        {
            isSending = !isEnded && closed.Count > 0;
            return isSending ? closed.Dequeue() : null;
        }
    }

    // Gives the room of settled events to waiting callers.
    private void Free(int count)
    {
        lock (gate)
        {
            unsettled -= count;
            while (unsettled < context.Options.MaxBufferedEvents && waiting.First is { } first)
            {
                waiting.RemoveFirst();
                var waiter = first.Value;
                try
                {
                    Take(waiter.Event, waiter.PartitionKey, waiter.Settled);
                    waiter.TryComplete();
                }
                catch (Exception exception)
                {
                    // It cannot be encoded or is too large: only this event fails.
                    waiter.TryFail(exception);
                }
            }

            if (waiting.Count > 0 && closed.Count == 0)
            {
                CloseOpen();
            }
        }
    }

    private sealed class WaitingEvent
    {
        private readonly TaskCompletionSource taken = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public WaitingEvent(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled)
        {
            Event = outgoingEvent;
            PartitionKey = partitionKey;
            Settled = settled;
            Node = new LinkedListNode<WaitingEvent>(this);
        }

        public OutgoingEvent Event { get; }

        public string? PartitionKey { get; }

        public Action<MessagingException?> Settled { get; }

        /// <summary>Its place in the queue.</summary>
        public LinkedListNode<WaitingEvent> Node { get; }

        public Task Taken => taken.Task;

        public void TryComplete() => taken.TrySetResult();

        public void TryFail(Exception exception) => taken.TrySetException(exception);

        public void TryCancel(CancellationToken cancellationToken) => taken.TrySetCanceled(cancellationToken);
    }
}
