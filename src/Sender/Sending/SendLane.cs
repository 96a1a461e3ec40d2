using System.Threading.Channels;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Sender.Sending;

/// <summary>
/// Sends the events of some keys, one batch after another, so that those of one key stay in order. Events that arrive during a batch are grouped by key for the
/// next ones. If events are sent one by one, they stay in the order of the source.
/// </summary>
internal sealed class SendLane(IEventHubWriter writer, LedgerRecorder recorder, SendOptions options, TimeProvider timeProvider)
{
    private const int Gathered = 1024;

    private readonly Channel<PendingEvent> queue = Channel.CreateBounded<PendingEvent>(
        new BoundedChannelOptions(Gathered)
        {
            SingleReader = true,
            SingleWriter = true,
            FullMode = BoundedChannelFullMode.Wait,
        }
    );

    public ValueTask AddAsync(PendingEvent pending, CancellationToken cancellationToken) => queue.Writer.WriteAsync(pending, cancellationToken);

    /// <summary>Accepts no more events. Queued events are sent, and then <see cref="RunAsync"/> ends.</summary>
    public void Complete() => queue.Writer.TryComplete();

    /// <summary>Sends until the lane is complete and empty.</summary>
    /// <param name="stop">Takes no further batch once it is cancelled. Events that were not tried are in no ledger.</param>
    /// <param name="abort">Cancels the send that is in flight.</param>
    public async Task RunAsync(CancellationToken stop, CancellationToken abort)
    {
        var groups = new Dictionary<string, List<PendingEvent>>(StringComparer.Ordinal);
        while (!stop.IsCancellationRequested && await WaitAsync(stop))
        {
            for (var taken = 0; taken < Gathered && queue.Reader.TryRead(out var pending); taken++)
            {
                // A key is never empty. The empty text means no key, or all keys if no batch needs one.
                var key = options.Batch == 1 ? string.Empty : pending.Key ?? string.Empty;
                if (!groups.TryGetValue(key, out var group))
                {
                    groups[key] = group = [];
                }

                group.Add(pending);
            }

            foreach (var group in groups.Values)
            {
                await SendGroupAsync(group, stop, abort);
            }

            groups.Clear();
        }
    }

    private async Task<bool> WaitAsync(CancellationToken stop)
    {
        try
        {
            return await queue.Reader.WaitToReadAsync(stop);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return false;
        }
    }

    private async Task SendGroupAsync(List<PendingEvent> group, CancellationToken stop, CancellationToken abort)
    {
        for (var sent = 0; sent < group.Count && !stop.IsCancellationRequested; )
        {
            sent += await SendBatchAsync(group, sent, abort);
        }
    }

    /// <summary>Sends the events that fit, from <paramref name="first"/> on. At least one is settled.</summary>
    private async Task<int> SendBatchAsync(List<PendingEvent> group, int first, CancellationToken abort)
    {
        var outgoing = await CreateAsync(group[first], abort);
        var count = 0;
        while (count < options.Batch && first + count < group.Count && outgoing.TryAdd(group[first + count].Event))
        {
            count++;
        }

        var actual = timeProvider.GetUtcNow();
        var events = group.GetRange(first, Math.Max(1, count)).ToArray();
        if (count == 0)
        {
            // It is larger than the link allows and alone in its batch. The others can still be sent.
            recorder.Record(events, SendOutcome.Failed, actual);
            return 1;
        }

        try
        {
            await writer.SendAsync(outgoing, abort);
        }
        catch (Exception exception)
        {
            recorder.Record(events, Outcomes.Of(exception), actual);
            throw;
        }

        recorder.Record(events, SendOutcome.Acked, actual);
        return count;
    }

    private async Task<IOutgoingEventBatch> CreateAsync(PendingEvent first, CancellationToken abort)
    {
        try
        {
            return await writer.CreateBatchAsync(first.Key, options.Partition, abort);
        }
        catch (Exception)
        {
            // Nothing has been sent yet, so this outcome is known.
            recorder.Record([first], SendOutcome.Failed, timeProvider.GetUtcNow());
            throw;
        }
    }
}
