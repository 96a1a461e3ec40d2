using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Leaves the gathering of batches to the client and notes what it tells of each event, once.</summary>
internal sealed class BufferedSending(IBufferedEventWriter writer, LedgerRecorder recorder, SendOptions options, SendHalt halt, TimeProvider timeProvider)
    : ISending
{
    // Handed over at this time and not settled yet. Whoever takes one out records it, so none is recorded twice.
    private readonly ConcurrentDictionary<PendingEvent, DateTimeOffset> open = new(ReferenceEqualityComparer.Instance);
    private readonly TaskCompletionSource settled = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // One for each that is open, and one that the end gives back.
    private long unsettled = 1;
    private Exception? failure;

    /// <summary>Waits as long as the buffer is full. Not given up by a stop: an event that was begun is sent or, after the grace, unknown.</summary>
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
            // Time is up: what is still open stays unknown.
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

    // On threads of the client, which would swallow whatever is thrown here.
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

        // One that is too large is its own fault, as in a lane: the others can still go. One that was cancelled has not failed.
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
