using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// Keeps events back until there are enough of them for a batch, or the first of them has waited for long enough. What is kept back at the end is
/// handed over to nobody, so that it is delivered again.
/// </summary>
internal sealed class GatheredBatches : IPartitionHandler
{
    private readonly IPartitionHandler session;
    private readonly BatchGathering gathering;
    private readonly Action<Exception> failed;
    private readonly ITimer timer;

    // Whoever reads, and the timer: one at a time, as a session is.
    private readonly SharedLimit oneAtATime = new(1);
    private readonly Queue<ReceivedEvent> kept = new();
    private bool isArmed;
    private Task late = Task.CompletedTask;

    /// <param name="session">Gets the batches.</param>
    /// <param name="partition">The partition.</param>
    /// <param name="gathering">How many make a batch.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Told of an error of a batch that nobody was waiting for.</param>
    public GatheredBatches(IPartitionHandler session, string partition, BatchGathering gathering, TimeProvider timeProvider, Action<Exception> failed)
    {
        this.session = session;
        this.gathering = gathering;
        this.failed = failed;
        timer = timeProvider.CreateTimer(_ => late = HandOverLateAsync(partition), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        await oneAtATime.EnterAsync(cancellationToken);
        try
        {
            foreach (var receivedEvent in batch.Events)
            {
                kept.Enqueue(receivedEvent);
            }

            while (kept.Count >= gathering.Least)
            {
                await HandOverAsync(batch.PartitionId, cancellationToken);
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

    private async Task HandOverLateAsync(string partition)
    {
        // Not cancelled: the ownership itself cuts the writes.
        await oneAtATime.EnterAsync(CancellationToken.None);
        try
        {
            while (isArmed && kept.Count > 0)
            {
                await HandOverAsync(partition, CancellationToken.None);
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

    private async Task HandOverAsync(string partition, CancellationToken cancellationToken)
    {
        var events = new List<ReceivedEvent>(Math.Min(kept.Count, gathering.Most));
        while (events.Count < gathering.Most && kept.TryDequeue(out var receivedEvent))
        {
            events.Add(receivedEvent);
        }

        if (kept.Count == 0)
        {
            isArmed = false;
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        await session.ProcessAsync(new EventBatch(partition, events), cancellationToken);
    }
}

/// <summary>How many events make a batch.</summary>
/// <param name="Least">At least so many, unless the wait is over.</param>
/// <param name="Most">At most so many.</param>
/// <param name="Longest">How long the first of them waits for others.</param>
internal sealed record BatchGathering(int Least, int Most, TimeSpan Longest);
