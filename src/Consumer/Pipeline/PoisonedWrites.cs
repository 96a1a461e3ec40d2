using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>Applies the poison policy, during one ownership, to events that a sink has failed for good.</summary>
internal sealed class PoisonedWrites(Incarnation incarnation, PoisonRule rule, RunFaults faults, RetryRule retry, TimeProvider timeProvider)
{
    /// <summary>
    /// Decides what becomes of the event: true when it is stored among the dead letters; false, after a pause, when the write is to
    /// be tried again. A run that is ending waits for nothing: the event is given up and stays above the watermark.
    /// </summary>
    /// <exception cref="RunFaultException">The run ends at this event.</exception>
    /// <exception cref="OperationCanceledException">The partition is lost, or the drain limit is over.</exception>
    public async ValueTask<bool> SettleAsync(ReceivedEvent receivedEvent, string sink, MessagingException failure, int attempts)
    {
        if (rule.Policy == PoisonPolicy.DeadLetter)
        {
            var refusal = await TryStoreAsync(receivedEvent, $"{sink}: {failure.Message}", attempts);
            if (refusal is null)
            {
                return true;
            }

            failure = refusal;
        }

        if (rule.Policy == PoisonPolicy.Stop)
        {
            throw Poison(receivedEvent, $"failed at {sink} after {Counted.Of(attempts, "attempt")}: {failure.Message}", failure);
        }

        rule.Blocked.Hold(incarnation.PartitionId, receivedEvent.SequenceNumber, sink, attempts, failure.Message);
        if (!await PauseAsync(retry.DelayBefore(attempts, failure.RetryAfter)))
        {
            throw Poison(receivedEvent, $"is still blocked at {sink} after {Counted.Of(attempts, "attempt")}: {failure.Message}", failure);
        }

        return false;
    }

    /// <summary>The write has ended, in whatever way.</summary>
    public void Release(long sequence, string sink) => rule.Blocked.Release(incarnation.PartitionId, sequence, sink);

    // Null when the record is stored. Its own retries are those of the write: it is tried again after each of them.
    private async ValueTask<MessagingException?> TryStoreAsync(ReceivedEvent receivedEvent, string reason, int attempts)
    {
        try
        {
            await rule.DeadLetters!.StoreAsync(receivedEvent, reason, attempts, incarnation.Writes);
            return null;
        }
        catch (MessagingException failure) when (RetryRule.IsFatal(failure.Kind))
        {
            throw faults.Report(ExitCode.Dependency, $"dead letters: {failure.Message}", failure);
        }
        catch (MessagingException failure)
        {
            return new MessagingException(failure.Kind, $"dead letters: {failure.Message}", failure) { RetryAfter = failure.RetryAfter };
        }
    }

    // False when the run is ending.
    private async ValueTask<bool> PauseAsync(TimeSpan pause)
    {
        var stopping = incarnation.Stop.Requested;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stopping, incarnation.Writes);
        try
        {
            await Task.Delay(pause, timeProvider, either.Token);
            return !stopping.IsCancellationRequested;
        }
        catch (OperationCanceledException) when (!incarnation.Lost.IsCancellationRequested)
        {
            return false;
        }
    }

    private RunFaultException Poison(ReceivedEvent receivedEvent, string what, MessagingException failure) =>
        faults.Report(ExitCode.Poison, $"event {receivedEvent.SequenceNumber} of partition {incarnation.PartitionId} {what}", failure);
}
