using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;

namespace EventHubThroughput.Pump.Writing;

/// <summary>Applies the poison policy to a write that has failed for good: its event is held, stored among the dead letters, or ends the processing.</summary>
internal sealed class PoisonedWrite(
    SinkWrite write,
    PartitionOwnership ownership,
    PoisonRule rule,
    WriteNotices notices,
    ProcessingFaults faults,
    RetryRule retry,
    TimeProvider timeProvider
)
{
    /// <summary>Ends a write whose tries are used up: the sink accepts the event after all, or it is stored in the dead-letter store.</summary>
    /// <exception cref="ProcessingFaultException">Processing ends at this event.</exception>
    /// <exception cref="OperationCanceledException">The partition is lost, or the drain limit has expired.</exception>
    /// <exception cref="MessagingException">There is no policy: the strategy is unsafe.</exception>
    public async ValueTask<TriedWrite> SettleAsync(EventSlot receivedEvent, TriedWrite tried, long started)
    {
        try
        {
            while (tried.Failure is { } failure)
            {
                if (RetryRule.IsFatal(failure.Kind))
                {
                    throw faults.Report(
                        ProcessingFaultKind.Dependency,
                        $"{write.Name}: {failure.Message}",
                        failure,
                        ownership.PartitionId,
                        receivedEvent.SequenceNumber
                    );
                }

                if (rule.Policy is null)
                {
                    throw failure;
                }

                if (await StoreOrHoldAsync(receivedEvent, failure, tried.Attempts))
                {
                    return tried with { Failure = null, DeadLettered = true };
                }

                tried = await write.AgainAsync(receivedEvent, tried, started);
            }

            return tried;
        }
        finally
        {
            rule.Blocked.Release(ownership.PartitionId, receivedEvent.SequenceNumber, write.Name);
        }
    }

    // True when the event is in the dead-letter store. False, after a pause, when the write is to be retried. Processing that is ending does not wait: the
    // event is given up and stays above the watermark.
    private async ValueTask<bool> StoreOrHoldAsync(EventSlot receivedEvent, MessagingException failure, int attempts)
    {
        if (rule.Policy == PoisonPolicy.DeadLetter)
        {
            var refusal = await TryStoreAsync(receivedEvent, failure, attempts);
            if (refusal is null)
            {
                notices.DeadLettered(receivedEvent.SequenceNumber);
                return true;
            }

            notices.DeadLetterRefused(receivedEvent.SequenceNumber, refusal);
            failure = refusal;
        }

        if (rule.Policy == PoisonPolicy.Stop)
        {
            throw Poison(receivedEvent, $"failed at {write.Name} after {Plural.Format(attempts, "attempt")}: {failure.Message}", failure);
        }

        rule.Blocked.Hold(ownership.PartitionId, receivedEvent.SequenceNumber, write.Name, attempts, failure.Message);
        if (!await PauseAsync(retry.DelayBefore(attempts, failure.RetryAfter)))
        {
            throw Poison(receivedEvent, $"is still blocked at {write.Name} after {Plural.Format(attempts, "attempt")}: {failure.Message}", failure);
        }

        return false;
    }

    // Null when the record is stored. It has no separate retries: it is tried again after each try of the write.
    private async ValueTask<MessagingException?> TryStoreAsync(EventSlot receivedEvent, MessagingException cause, int attempts)
    {
        try
        {
            await rule.Store!(receivedEvent, write.Name, cause.Message, attempts, ownership.Writes);
            return null;
        }
        catch (MessagingException failure) when (RetryRule.IsFatal(failure.Kind))
        {
            throw faults.Report(ProcessingFaultKind.Dependency, $"dead letters: {failure.Message}", failure);
        }
        catch (MessagingException failure)
        {
            return new MessagingException(failure.Kind, $"dead letters: {failure.Message}", failure) { RetryAfter = failure.RetryAfter };
        }
    }

    // False when processing is ending.
    private async ValueTask<bool> PauseAsync(TimeSpan pause)
    {
        var stopping = ownership.Stop.Requested;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stopping, ownership.Writes);
        try
        {
            await Task.Delay(pause, timeProvider, either.Token);
            return !stopping.IsCancellationRequested;
        }
        catch (OperationCanceledException) when (!ownership.Lost.IsCancellationRequested)
        {
            return false;
        }
    }

    private ProcessingFaultException Poison(EventSlot receivedEvent, string what, MessagingException failure) =>
        faults.Report(
            ProcessingFaultKind.Poison,
            $"event {receivedEvent.SequenceNumber} of partition {ownership.PartitionId} {what}",
            failure,
            ownership.PartitionId,
            receivedEvent.SequenceNumber
        );
}
