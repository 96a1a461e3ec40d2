using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Processing.Retrying;

namespace EventHubThroughput.Processing.Writing;

/// <summary>How a write stands after its tries.</summary>
/// <param name="Attempts">Tries that count: those that found no connection do not.</param>
/// <param name="Throttled">Whether the sink asked to slow down at least once.</param>
/// <param name="Failure">Why the last one failed; null when the sink has the event.</param>
/// <param name="DeadLettered">Whether the event is stored among the dead letters instead.</param>
internal readonly record struct TriedWrite(int Attempts, bool Throttled, MessagingException? Failure, bool DeadLettered = false);

/// <summary>
/// Tries a write until the sink has it, as often and as long as the rule allows. The only place where writes are repeated: the clients
/// are asked for one try at a time, so that every failure is seen, counted and told here.
/// </summary>
internal sealed class RetriedWrite(DeadlineWrite write, IWriteOwner ownership, RetryRule rule, WriteNotices notices, TimeProvider timeProvider)
{
    public string Name => write.Name;

    /// <summary>Tries until the sink has the event, the retries are used up, or the service is gone.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="started">When the write began.</param>
    /// <exception cref="OperationCanceledException">The partition has another owner, or the write was cut.</exception>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public async ValueTask<TriedWrite> WriteAsync(ReceivedEvent receivedEvent, long started)
    {
        var tries = new WriteTries(started);
        while (true)
        {
            await ownership.EnsureOwnedAsync();
            var failure = await write.TryAsync(receivedEvent, tries.Since);
            if (failure is null)
            {
                return new TriedWrite(tries.Failed + 1, tries.Throttled, null);
            }

            var pause = RetryRule.IsFatal(failure.Kind) ? null : tries.After(failure, rule, timeProvider);
            notices.Failed(receivedEvent.SequenceNumber, failure, pause is not null, tries.Failed, started);
            if (pause is not { } wait)
            {
                return new TriedWrite(tries.Failed, tries.Throttled, failure);
            }

            await Task.Delay(wait, timeProvider, ownership.Writes);
        }
    }

    /// <summary>One more try of a write whose retries are used up; those that find no connection do not count.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="before">How it stood.</param>
    /// <param name="started">When the write began.</param>
    /// <exception cref="OperationCanceledException">The partition has another owner, or the write was cut.</exception>
    public async ValueTask<TriedWrite> AgainAsync(ReceivedEvent receivedEvent, TriedWrite before, long started)
    {
        for (var unconnected = 1; ; unconnected++)
        {
            await ownership.EnsureOwnedAsync();
            var failure = await write.TryAsync(receivedEvent, timeProvider.GetTimestamp());
            if (failure?.Kind != FailureKind.Unconnected)
            {
                return new TriedWrite(before.Attempts + 1, before.Throttled || failure?.Kind == FailureKind.Throttled, failure);
            }

            notices.Failed(receivedEvent.SequenceNumber, failure, again: true, before.Attempts, started);
            await Task.Delay(rule.DelayBefore(unconnected, failure.RetryAfter), timeProvider, ownership.Writes);
        }
    }
}
