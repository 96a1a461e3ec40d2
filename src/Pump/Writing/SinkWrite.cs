using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Writing;

/// <summary>The state of a write after its tries.</summary>
/// <param name="Attempts">Tries that count: those without a connection do not.</param>
/// <param name="Throttled">Whether the sink asked to slow down at least once.</param>
/// <param name="Failure">The failure of the last try. Null when the sink has the event.</param>
/// <param name="DeadLettered">Whether the event is in the dead-letter store instead.</param>
internal readonly record struct TriedWrite(int Attempts, bool Throttled, MessagingException? Failure, bool DeadLettered = false);

/// <summary>
/// Tries a write until the sink has it, as often and as long as the rule allows. It is the only retry layer and the only time limit of a write. Clients are
/// asked for one try at a time, so that every failure is seen, counted and reported here. Any exception of the sink is a failure of this try. Only the loss
/// of the partition and the drain limit cancel a try.
/// </summary>
/// <param name="sink">The sink that does the work.</param>
/// <param name="owner">The owner, whose loss or end cancels the write.</param>
/// <param name="deadlines">Creates the time limits.</param>
/// <param name="rule">How often, and how long with all tries.</param>
/// <param name="notices">Receives failed tries.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class SinkWrite(
    ISink<EventSlot> sink,
    IWriteOwner owner,
    DeadlinePool deadlines,
    RetryRule rule,
    WriteNotices notices,
    TimeProvider timeProvider
)
{
    public string Name => sink.Name;

    /// <summary>The most events of one try. 1 for a sink without batches.</summary>
    public int LargestBatch => sink is IBatchSink<EventSlot> batches ? batches.LargestBatch : 1;

    /// <summary>Whether a limit is set for a try of a single event. Default: unless the sink limits itself.</summary>
    public bool SetsLimit { get; init; } = !sink.LimitsItself;

    /// <summary>Tries until the sink has the event, the retries are used up, or the service is gone.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="started">When the write began.</param>
    /// <exception cref="OperationCanceledException">The partition has another owner, or the write was cut.</exception>
    public ValueTask<TriedWrite> WriteAsync(EventSlot receivedEvent, long started) => TryAsync(receivedEvent, default, new WriteTries(started), rule, started);

    /// <summary>Makes another try of a write whose retries are used up. Tries without a connection do not count.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="before">The state before.</param>
    /// <param name="started">When the write began.</param>
    /// <exception cref="OperationCanceledException">The partition has another owner, or the write was cut.</exception>
    public ValueTask<TriedWrite> AgainAsync(EventSlot receivedEvent, TriedWrite before, long started) =>
        TryAsync(receivedEvent, before, new WriteTries(timeProvider.GetTimestamp()), rule with { Limit = 0 }, started);

    /// <summary>Tries several events in one operation. Returns each one's failure, or null where the sink has it.</summary>
    /// <param name="events">The events.</param>
    /// <param name="since">When the limit begins, by the clock's raw timestamp.</param>
    /// <exception cref="OperationCanceledException">The write was cut.</exception>
    public async ValueTask<IReadOnlyList<MessagingException?>> TryBatchAsync(IReadOnlyList<EventSlot> events, long since)
    {
        // Always limited here: one try of several events may be several requests of a client.
        using var limit = deadlines.StartFrom(since, rule.OperationLimit, owner.Writes);
        try
        {
            var outcomes = await ((IBatchSink<EventSlot>)sink).WriteBatchAsync(events, limit.Token);
            return outcomes.Count == events.Count
                ? [.. outcomes.Select(outcome => outcome is null ? null : GetFailure(outcome, late: false))]
                :
                [
                    .. events.Select(_ => new MessagingException(
                        FailureKind.Permanent,
                        $"{Name} returned {outcomes.Count} outcomes for {events.Count} events"
                    )),
                ];
        }
        catch (Exception thrown) when (!IsCut(thrown))
        {
            var failure = GetFailure(thrown, limit.Token.IsCancellationRequested);
            return [.. events.Select(_ => failure)];
        }
    }

    // Pooled: called for every write, and most of them wait.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private async ValueTask<TriedWrite> TryAsync(EventSlot receivedEvent, TriedWrite before, WriteTries tries, RetryRule allowed, long started)
    {
        while (true)
        {
            await owner.EnsureOwnedAsync();
            var limit = SetsLimit ? deadlines.StartFrom(tries.Since, rule.OperationLimit, owner.Writes) : default;
            var token = SetsLimit ? limit.Token : owner.Writes;
            MessagingException failure;
            try
            {
                await sink.WriteAsync(receivedEvent, token);
                return new TriedWrite(before.Attempts + tries.Failed + 1, before.Throttled || tries.Throttled, null);
            }
            catch (Exception thrown) when (!IsCut(thrown))
            {
                failure = GetFailure(thrown, token.IsCancellationRequested);
            }
            finally
            {
                limit.Dispose();
            }

            var pause = RetryRule.IsFatal(failure.Kind) ? null : tries.After(failure, allowed, timeProvider);
            if (pause is not null || before.Attempts == 0)
            {
                // If it had tries before, its permanent failure was already reported.
                notices.Failed(receivedEvent.SequenceNumber, failure, pause is not null, before.Attempts + tries.Failed, started);
            }

            if (pause is not { } wait)
            {
                return new TriedWrite(before.Attempts + tries.Failed, before.Throttled || tries.Throttled, failure);
            }

            await Task.Delay(wait, timeProvider, owner.Writes);
        }
    }

    private bool IsCut(Exception thrown) => owner.Writes.IsCancellationRequested && thrown is OperationCanceledException;

    // Exceptions other than the clients' come from the sink's code, and count as transient.
    private MessagingException GetFailure(Exception thrown, bool late) =>
        thrown switch
        {
            OperationCanceledException when late => new MessagingException(
                FailureKind.Transient,
                $"no answer within {rule.OperationLimit.TotalSeconds:0.###} s",
                thrown
            ),
            _ => MessagingException.Around(thrown),
        };
}
