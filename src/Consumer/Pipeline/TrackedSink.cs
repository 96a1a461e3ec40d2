using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Invariants;
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
/// <param name="faults">Where what ends the run is reported before it is thrown.</param>
/// <param name="retry">How often and how long a failure that may heal is tried again.</param>
/// <param name="poisoned">Decides what becomes of an event whose write has failed for good.</param>
/// <param name="deadlines">Limits the tries.</param>
/// <param name="window">Holds the strategy to the degree.</param>
/// <param name="order">Holds the strategy to the order that it promises.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="advanced">Called when the watermark has moved.</param>
internal sealed class TrackedSink(
    ISink inner,
    Stage stage,
    Incarnation incarnation,
    PartitionMeters meters,
    RunFaults faults,
    RetryRule retry,
    PoisonedWrites poisoned,
    DeadlinePool deadlines,
    WindowCheck window,
    OrderCheck order,
    TimeProvider timeProvider,
    Action advanced
) : ISink
{
    public string Name => inner.Name;

    /// <remarks>
    /// The strategy's token is not passed on: a write once begun is finished, or else its outcome would be unknown and the event
    /// delivered again. Only the loss of the partition and the drain limit cut it.
    /// </remarks>
    public async ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        var started = timeProvider.GetTimestamp();
        var sequence = receivedEvent.SequenceNumber;
        Begin(sequence, started);
        var tries = new WriteTries(started);
        try
        {
            while (true)
            {
                var failure = await TryAsync(receivedEvent, tries.Left(retry, timeProvider));
                if (failure is null)
                {
                    var elapsed = timeProvider.GetElapsedTime(started);
                    meters.Written(stage, elapsed);
                    incarnation.KillSwitch.Acknowledged(incarnation.PartitionId, sequence, stage);
                    incarnation.Delivered.Acknowledge(sequence, (int)stage);
                    Settle(incarnation.Watermark.Acknowledge(sequence, (int)stage), EventState.Done);
                    return new WriteOutcome(elapsed, tries.Failed + 1, tries.Throttled);
                }

                if (RetryRule.IsFatal(failure.Kind))
                {
                    meters.WriteFailed(stage, failure.Kind);
                    throw faults.Report(ExitCode.Dependency, $"{Name}: {failure.Message}", failure);
                }

                var poisonBefore = tries.Exhausted;
                if (tries.After(failure, retry, timeProvider) is { } pause)
                {
                    meters.WriteRetried(stage, failure.Kind);
                    await Task.Delay(pause, timeProvider, incarnation.Writes);
                    continue;
                }

                if (!poisonBefore)
                {
                    meters.WriteFailed(stage, failure.Kind);
                }

                if (await poisoned.SettleAsync(receivedEvent, Name, failure, tries.Failed))
                {
                    incarnation.Delivered.DeadLetter(sequence);
                    Settle(incarnation.Watermark.DeadLetter(sequence), EventState.DeadLettered);
                    return new WriteOutcome(timeProvider.GetElapsedTime(started), tries.Failed, tries.Throttled);
                }
            }
        }
        catch (OperationCanceledException) when (incarnation.Writes.IsCancellationRequested)
        {
            incarnation.Watermark.Abandon(sequence, EventState.Cancelled);
            meters.WriteCut(stage);
            throw;
        }
        catch (Exception)
        {
            incarnation.Watermark.Abandon(sequence, EventState.Failed);
            throw;
        }
        finally
        {
            if (tries.Exhausted)
            {
                poisoned.Release(sequence, Name);
            }
        }
    }

    // The failure, or null when the sink has the event. Pooled: called for every write, and most of them wait.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<MessagingException?> TryAsync(ReceivedEvent receivedEvent, TimeSpan limit)
    {
        using var deadline = deadlines.Start(limit, incarnation.Writes);
        try
        {
            await inner.WriteAsync(receivedEvent, deadline.Token);
            return null;
        }
        catch (OperationCanceledException cut) when (deadline.Token.IsCancellationRequested && !incarnation.Writes.IsCancellationRequested)
        {
            return new MessagingException(FailureKind.Transient, $"no answer within {retry.OperationLimit.TotalSeconds:0.###} s", cut);
        }
        catch (MessagingException failure)
        {
            return failure;
        }
    }

    private void Begin(long sequence, long started)
    {
        var stopping = incarnation.Stop.Requested;
        var result = incarnation.Watermark.Begin(sequence, started, stopping.IsCancellationRequested, out var inFlight);
        if (result == TrackResult.Closed)
        {
            throw new OperationCanceledException(
                $"partition {incarnation.PartitionId} is stopping: event {sequence} is not begun",
                stopping.IsCancellationRequested ? stopping : incarnation.Writes
            );
        }

        if (result == TrackResult.Unknown)
        {
            throw faults.Report(
                ExitCode.InvariantBreached,
                $"a strategy wrote event {sequence} of partition {incarnation.PartitionId} to {Name}, which was never delivered"
            );
        }

        window.AfterBeginning(sequence, inFlight);
        if (result == TrackResult.Recorded)
        {
            order.BeforeWriting(sequence);
        }
    }

    private void Settle(Acknowledgement acknowledgement, EventState state)
    {
        if (acknowledgement.Result == TrackResult.Closed)
        {
            meters.CompletedLate();
        }

        if (acknowledgement.Result != TrackResult.Completed)
        {
            return;
        }

        var inOrder = acknowledgement.Passed > 0;
        if (state == EventState.DeadLettered)
        {
            meters.DeadLettered(inOrder);
        }
        else
        {
            meters.Completed(timeProvider.GetElapsedTime(acknowledgement.BegunAt), inOrder);
        }

        if (inOrder)
        {
            incarnation.KillSwitch.Reached(KillPoint.K7);
            advanced();
        }
    }
}
