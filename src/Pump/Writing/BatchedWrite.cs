using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;

namespace EventHubThroughput.Pump.Writing;

/// <summary>
/// Writes several events in as few operations as the sink allows, and retries only those that failed. Each event has a separate outcome: one that is refused
/// for good does not delay the others. If an event prevents an answer to its operation, a last try of each event alone finds it.
/// </summary>
internal sealed class BatchedWrite(SinkWrite write, PartitionOwnership ownership, RetryRule rule, WriteNotices notices, TimeProvider timeProvider)
{
    /// <summary>The most events of one operation.</summary>
    public int LargestBatch => write.LargestBatch;

    /// <summary>Starts the writes. Returns the end of each, in the order of the events.</summary>
    public IReadOnlyList<Task<TriedWrite>> Start(IReadOnlyList<EventSlot> events, long started)
    {
        var ends = events.Select(_ => new TaskCompletionSource<TriedWrite>(TaskCreationOptions.RunContinuationsAsynchronously)).ToArray();
        for (var first = 0; first < events.Count; first += write.LargestBatch)
        {
            var count = Math.Min(write.LargestBatch, events.Count - first);
            _ = RunAsync([.. events.Skip(first).Take(count)], ends.AsMemory(first, count), started);
        }

        return [.. ends.Select(static end => end.Task)];
    }

    private async Task RunAsync(IReadOnlyList<EventSlot> events, ReadOnlyMemory<TaskCompletionSource<TriedWrite>> ends, long started)
    {
        var left = Enumerable.Range(0, events.Count).ToList();
        try
        {
            var tries = new WriteTries(started);
            while (left.Count > 0)
            {
                await ownership.EnsureOwnedAsync();
                var outcomes = await write.TryBatchAsync([.. left.Select(at => events[at])], tries.Since);
                var passing = outcomes.OfType<MessagingException>().FirstOrDefault(failure => failure.IsTransient);
                var end = new TriedWrite(tries.Failed + 1, tries.Throttled, null);
                var pause = passing is null ? null : tries.After(passing, rule, timeProvider);
                if (passing is not null && pause is null && left.Count > 1)
                {
                    await ownership.EnsureOwnedAsync();
                    outcomes = await Task.WhenAll(left.Zip(outcomes, (at, outcome) => AloneAsync(events[at], outcome, end.Attempts, started)));
                    end = end with { Attempts = end.Attempts + 1 };
                }

                left = Settle(events, ends, left, outcomes, pause is not null, end, started);
                if (left.Count > 0)
                {
                    await Task.Delay(pause!.Value, timeProvider, ownership.Writes);
                }
            }
        }
        catch (Exception failure)
        {
            foreach (var at in left)
            {
                ends.Span[at].TrySetException(failure);
            }
        }
    }

    // A transient failure gets another try, for this event alone.
    private async Task<MessagingException?> AloneAsync(EventSlot receivedEvent, MessagingException? outcome, int attempts, long started)
    {
        if (outcome is not { IsTransient: true })
        {
            return outcome;
        }

        notices.Failed(receivedEvent.SequenceNumber, outcome, again: true, attempts, started);
        return (await write.AgainAsync(receivedEvent, new TriedWrite(attempts, Throttled: false, outcome), started)).Failure;
    }

    // Ends the decided writes. Returns the places of those that are retried.
    private List<int> Settle(
        IReadOnlyList<EventSlot> events,
        ReadOnlyMemory<TaskCompletionSource<TriedWrite>> ends,
        List<int> tried,
        IReadOnlyList<MessagingException?> outcomes,
        bool again,
        TriedWrite end,
        long started
    )
    {
        var left = new List<int>();
        for (var i = 0; i < tried.Count; i++)
        {
            var at = tried[i];
            if (outcomes[i] is not { } failure)
            {
                ends.Span[at].SetResult(end);
                continue;
            }

            var continues = again && failure.IsTransient;
            notices.Failed(events[at].SequenceNumber, failure, continues, end.Attempts, started);
            if (continues)
            {
                left.Add(at);
            }
            else
            {
                ends.Span[at].SetResult(end with { Failure = failure, Throttled = end.Throttled || failure.Kind == FailureKind.Throttled });
            }
        }

        return left;
    }
}
