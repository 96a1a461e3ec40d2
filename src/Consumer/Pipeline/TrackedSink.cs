using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>
/// What a strategy sees of a sink: times the write, tries again what may heal, records the outcome and acknowledges it to the
/// watermark. That an event is complete is established here, where no strategy's author can forget it.
/// </summary>
/// <param name="inner">The sink that does the network call.</param>
/// <param name="stage">The sink's stage in measurements; also its place in the watermark.</param>
/// <param name="incarnation">The ownership that this write belongs to.</param>
/// <param name="meters">Where times and outcomes go.</param>
/// <param name="faults">Where a failure for good is reported before it is thrown.</param>
/// <param name="retry">How often and how long a failure that may heal is tried again.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="advanced">Called when the watermark has moved, or null.</param>
internal sealed class TrackedSink(
    ISink inner,
    Stage stage,
    Incarnation incarnation,
    PartitionMeters meters,
    RunFaults faults,
    RetryRule retry,
    TimeProvider timeProvider,
    Action? advanced) : ISink
{
    public string Name => inner.Name;

    /// <remarks>
    /// The strategy's token is not passed on: a write once begun is finished, or else its outcome would be unknown and the event
    /// delivered again. Only the loss of the partition and the drain limit cut it.
    /// </remarks>
    public async ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        var started = timeProvider.GetTimestamp();
        Begin(receivedEvent.SequenceNumber, started);
        var throttled = false;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await inner.WriteAsync(receivedEvent, incarnation.Writes);
                var elapsed = timeProvider.GetElapsedTime(started);
                Acknowledge(receivedEvent.SequenceNumber, elapsed);
                return new WriteOutcome(elapsed, attempt, throttled);
            }
            catch (OperationCanceledException) when (incarnation.Writes.IsCancellationRequested)
            {
                incarnation.Watermark.Abandon(receivedEvent.SequenceNumber, EventState.Cancelled);
                meters.WriteCut(stage);
                throw;
            }
            catch (MessagingException failure)
            {
                throttled |= failure.Kind == FailureKind.Throttled;
                var pause = retry.DelayBefore(attempt);
                if (!failure.IsTransient || attempt > retry.Limit || timeProvider.GetElapsedTime(started) + pause > retry.OperationLimit)
                {
                    throw GiveUp(receivedEvent.SequenceNumber, failure, attempt);
                }

                meters.WriteRetried(stage, failure.Kind);
                await PauseAsync(receivedEvent.SequenceNumber, pause);
            }
            catch (Exception)
            {
                incarnation.Watermark.Abandon(receivedEvent.SequenceNumber, EventState.Failed);
                throw;
            }
        }
    }

    private void Begin(long sequence, long started)
    {
        var stopping = incarnation.Stop.Requested;
        var result = incarnation.Watermark.Begin(sequence, started, stopping.IsCancellationRequested, out var inFlight);
        if (result == TrackResult.Closed)
        {
            throw new OperationCanceledException(
                $"partition {incarnation.PartitionId} is stopping: event {sequence} is not begun", stopping.IsCancellationRequested ? stopping : incarnation.Writes);
        }

        if (result == TrackResult.Unknown)
        {
            throw faults.Report(
                ExitCode.InvariantBreached,
                $"a strategy wrote event {sequence} of partition {incarnation.PartitionId} to {Name}, which was never delivered");
        }

        if (inFlight > incarnation.Degree)
        {
            throw faults.Report(
                ExitCode.InvariantBreached,
                $"{inFlight} events in flight on partition {incarnation.PartitionId} with event {sequence}, the degree allows {incarnation.Degree}");
        }
    }

    private void Acknowledge(long sequence, TimeSpan elapsed)
    {
        incarnation.KillSwitch.Acknowledged(incarnation.PartitionId, sequence, stage);
        var acknowledgement = incarnation.Watermark.Acknowledge(sequence, (int)stage);
        meters.Written(stage, elapsed);
        if (acknowledgement.Result == TrackResult.Completed)
        {
            meters.Completed(timeProvider.GetElapsedTime(acknowledgement.BegunAt), inOrder: acknowledgement.Passed > 0);
            if (acknowledgement.Passed > 0)
            {
                incarnation.KillSwitch.Reached(KillPoint.K7);
                advanced?.Invoke();
            }
        }
    }

    private RunFaultException GiveUp(long sequence, MessagingException failure, int attempts)
    {
        incarnation.Watermark.Abandon(sequence, EventState.Failed);
        meters.WriteFailed(stage, failure.Kind);
        return RetryRule.IsFatal(failure.Kind)
            ? faults.Report(ExitCode.Dependency, $"{Name}: {failure.Message}", failure)
            : faults.Report(
                ExitCode.Poison,
                $"event {sequence} of partition {incarnation.PartitionId} failed at {Name} after {attempts} {(attempts == 1 ? "attempt" : "attempts")}: {failure.Message}",
                failure);
    }

    private async ValueTask PauseAsync(long sequence, TimeSpan pause)
    {
        try
        {
            await Task.Delay(pause, timeProvider, incarnation.Writes);
        }
        catch (OperationCanceledException)
        {
            incarnation.Watermark.Abandon(sequence, EventState.Cancelled);
            throw;
        }
    }
}
