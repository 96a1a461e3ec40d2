using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Sender.Sending;

/// <summary>
/// Gathers batches and sends them in parallel lanes. All events of a key use the same lane. If a partition is named, all events use one lane.
/// </summary>
internal sealed class LaneSending : ISending
{
    private readonly SendOptions options;
    private readonly SendLane[] lanes;
    private readonly Task[] running;

    // The lane of each key, assigned in the order in which the keys appear.
    private readonly Dictionary<string, int> keys = new(StringComparer.Ordinal);
    private long keylessCount;

    public LaneSending(IEventHubWriter writer, LedgerRecorder recorder, SendOptions options, SendHalt halt, TimeProvider timeProvider)
    {
        this.options = options;
        lanes = new SendLane[options.Lanes];
        running = new Task[lanes.Length];
        for (var i = 0; i < lanes.Length; i++)
        {
            lanes[i] = new SendLane(writer, recorder, options, timeProvider);
            running[i] = RunLaneAsync(lanes[i], halt);
        }
    }

    public ValueTask AddAsync(PendingEvent pending, CancellationToken cancellationToken) => lanes[GetLane(pending.Key)].AddAsync(pending, cancellationToken);

    public async Task EndAsync()
    {
        Array.ForEach(lanes, lane => lane.Complete());
        await Task.WhenAll(running);
    }

    private static async Task RunLaneAsync(SendLane lane, SendHalt halt)
    {
        try
        {
            await lane.RunAsync(halt.Stop, halt.Abort);
        }
        catch (OperationCanceledException) when (halt.Abort.IsCancellationRequested)
        {
            // The grace period has ended. The ledger has the outcome as unknown.
        }
        catch
        {
            halt.Fail();
            throw;
        }
    }

    private int GetLane(string? key)
    {
        if (options.Partition is not null)
        {
            // Several concurrent sends would mix the events on their way.
            return 0;
        }

        if (key is null)
        {
            // Events without a key alternate between lanes by batches, so that a batch is full although there are several lanes.
            return (int)(keylessCount++ / options.Batch % options.Lanes);
        }

        if (!keys.TryGetValue(key, out var lane))
        {
            keys[key] = lane = keys.Count % options.Lanes;
        }

        return lane;
    }
}
