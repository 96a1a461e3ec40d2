using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// Keeps events back until there are enough of them for a batch, or the first of them has waited for long enough. What is kept back at the end is
/// handed over to nobody, so that it is delivered again.
/// </summary>
internal sealed class GatheredBatches : ISlotHandler
{
    private readonly ISlotHandler session;
    private readonly BatchGathering gathering;
    private readonly Action<Exception> failed;
    private readonly ITimer timer;

    // Whoever reads, and the timer: one at a time, as a session is.
    private readonly SharedLimit oneAtATime = new(1);
    private readonly Queue<EventSlot> kept = new();
    private bool isArmed;
    private Task late = Task.CompletedTask;

    /// <param name="session">Gets the batches.</param>
    /// <param name="gathering">How many make a batch.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Told of an error of a batch that nobody was waiting for.</param>
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
        // Not cancelled: the ownership itself cuts the writes.
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

/// <summary>How many events make a batch.</summary>
/// <param name="Least">At least so many, unless the wait is over.</param>
/// <param name="Most">At most so many.</param>
/// <param name="Longest">How long the first of them waits for others.</param>
internal sealed record BatchGathering(int Least, int Most, TimeSpan Longest);
