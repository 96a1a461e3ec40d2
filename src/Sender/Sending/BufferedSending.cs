using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Sender.Sending;

/// <summary>The client gathers the batches. This class records the outcome that the client reports for each event, once.</summary>
internal sealed class BufferedSending(IBufferedEventWriter writer, LedgerRecorder recorder, SendOptions options, SendHalt halt, TimeProvider timeProvider)
    : ISending
{
    // Events that were handed over at this time and are not settled yet. Only the caller that removes an event records it, so none is recorded twice.
    private readonly ConcurrentDictionary<PendingEvent, DateTimeOffset> open = new(ReferenceEqualityComparer.Instance);
    private readonly TaskCompletionSource settled = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // One for each open event, plus one that is released at the end.
    private long unsettled = 1;
    private Exception? failure;

    /// <summary>Waits while the buffer is full. A stop does not cancel it: an event that was begun is sent, or is unknown after the grace period.</summary>
    public async ValueTask AddAsync(PendingEvent pending, CancellationToken cancellationToken)
    {
        open[pending] = timeProvider.GetUtcNow();
        Interlocked.Increment(ref unsettled);
        try
        {
            await writer.AddAsync(pending.Event, pending.Key, failed => Settle(pending, failed), halt.Abort);
        }
        catch (Exception exception)
        {
            Settle(pending, exception);
        }
    }

    public async Task EndAsync()
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(halt.Abort);
        using var timer = timeProvider.CreateTimer(_ => limit.Cancel(), null, options.FlushLimit, Timeout.InfiniteTimeSpan);
        try
        {
            await writer.FlushAsync(limit.Token);
            Release();
            await using var given = limit.Token.Register(() => settled.TrySetCanceled(limit.Token));
            await settled.Task;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            // The time limit has passed. Events that are still open stay unknown.
        }
        catch (MessagingException exception)
        {
            Fail(exception);
        }

        foreach (var pending in open.Keys)
        {
            Record(pending, SendOutcome.Unknown);
        }

        if (failure is not null)
        {
            throw failure;
        }
    }

    // Runs on threads of the client, which swallows every exception thrown here.
    private void Settle(PendingEvent pending, Exception? failed)
    {
        try
        {
            Record(pending, Outcomes.Of(failed));
        }
        catch (Exception exception)
        {
            Fail(exception);
        }

        // An event that is too large fails alone, as in a lane, and the others can still be sent. A cancelled event has not failed.
        if (failed is not (null or MessagingException { Kind: FailureKind.TooLarge } or OperationCanceledException))
        {
            Fail(failed);
        }
    }

    private void Record(PendingEvent pending, SendOutcome outcome)
    {
        if (!open.TryRemove(pending, out var actual))
        {
            return;
        }

        try
        {
            recorder.Record([pending], outcome, actual);
        }
        finally
        {
            Release();
        }
    }

    private void Release()
    {
        if (Interlocked.Decrement(ref unsettled) == 0)
        {
            settled.TrySetResult();
        }
    }

    private void Fail(Exception exception)
    {
        if (Interlocked.CompareExchange(ref failure, exception, null) is null)
        {
            halt.Fail();
        }
    }
}
