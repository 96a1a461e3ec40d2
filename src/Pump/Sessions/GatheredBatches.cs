using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// Collects events until there are enough for a batch, or the first of them has waited for long enough. Events that are still collected at the end are not
/// handed over, so they are delivered again.
/// </summary>
internal sealed class GatheredBatches : ISlotHandler
{
    private readonly ISlotHandler session;
    private readonly BatchGathering gathering;
    private readonly Action<Exception> failed;
    private readonly ITimer timer;

    // For the reading caller and the timer: one at a time, as a session requires.
    private readonly SharedLimit oneAtATime = new(1);
    private readonly Queue<EventSlot> kept = new();
    private bool isArmed;
    private Task late = Task.CompletedTask;

    /// <param name="session">Receives the batches.</param>
    /// <param name="gathering">The sizes and the longest wait.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Receives an error of a batch that no caller waits for.</param>
    public GatheredBatches(ISlotHandler session, BatchGathering gathering, TimeProvider timeProvider, Action<Exception> failed)
    {
        this.session = session;
        this.gathering = gathering;
        this.failed = failed;
        timer = timeProvider.CreateTimer(_ => late = HandOverLateAsync(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public async Task ProcessAsync(IReadOnlyList<EventSlot> slots, CancellationToken cancellationToken)
    {
        await oneAtATime.EnterAsync(cancellationToken);
        try
        {
            foreach (var slot in slots)
            {
                kept.Enqueue(slot);
            }

            while (kept.Count >= gathering.Least)
            {
                await HandOverAsync(cancellationToken);
            }

            if (kept.Count > 0 && !isArmed)
            {
                isArmed = true;
                timer.Change(gathering.Longest, Timeout.InfiniteTimeSpan);
            }
        }
        finally
        {
            oneAtATime.Leave();
        }
    }

    public async Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken)
    {
        await timer.DisposeAsync();
        await late;
        await session.CloseAsync(reason, cancellationToken);
    }

    private async Task HandOverLateAsync()
    {
        // Not cancelled: the ownership itself cancels the writes.
        await oneAtATime.EnterAsync(CancellationToken.None);
        try
        {
            while (isArmed && kept.Count > 0)
            {
                await HandOverAsync(CancellationToken.None);
            }
        }
        catch (Exception failure)
        {
            failed(failure);
        }
        finally
        {
            oneAtATime.Leave();
        }
    }

    private async Task HandOverAsync(CancellationToken cancellationToken)
    {
        var events = new List<EventSlot>(Math.Min(kept.Count, gathering.Most));
        while (events.Count < gathering.Most && kept.TryDequeue(out var slot))
        {
            events.Add(slot);
        }

        if (kept.Count == 0)
        {
            isArmed = false;
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        await session.ProcessAsync(events, cancellationToken);
    }
}

/// <summary>The size of a collected batch.</summary>
/// <param name="Least">The fewest events, unless the wait has expired.</param>
/// <param name="Most">The most events.</param>
/// <param name="Longest">How long the first of them waits for others.</param>
internal sealed record BatchGathering(int Least, int Most, TimeSpan Longest);
