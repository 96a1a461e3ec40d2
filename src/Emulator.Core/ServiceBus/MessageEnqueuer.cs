using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// The way into a queue or topic: duplicates are dropped, memory is reserved, the log is written, and only then is anything added.
/// Whatever fails before that leaves no trace.
/// </summary>
/// <param name="store">Where they go.</param>
/// <param name="window">The ids that are duplicates. Null when nobody looks for them.</param>
/// <param name="route">Which queues get a message. Called under the store's gate.</param>
internal sealed class MessageEnqueuer(MessageStore store, DuplicateWindow? window, Func<MessageContent, bool, IReadOnlyList<MessageQueue>> route)
{
    public Receipt? Accept(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops)
    {
        lock (store.Gate)
        {
            store.ThrowIfDeleted();
            var now = store.Clock.GetUtcNow();
            window?.Pass(now);
            var arrivals = new List<Arrival>(contents.Count);
            var receipt = Prepare(contents, arrivals, now, hops);
            Spill(arrivals);
            var cost = CostOf(arrivals);
            if (!store.Budget.TryReserve(cost))
            {
                return null;
            }

            try
            {
                Record(arrivals, receipt, stored);
            }
            catch
            {
                store.Budget.Release(cost);
                throw;
            }

            foreach (var arrival in arrivals)
            {
                window?.Remember(arrival.Content.MessageId, now);
                foreach (var copy in arrival.Copies)
                {
                    copy.Queue.Contents.Add(copy, reserved: true);
                }
            }

            store.CompactIfDue();
            return receipt;
        }
    }

    private Receipt Prepare(IReadOnlyList<MessageContent> contents, List<Arrival> arrivals, DateTimeOffset now, byte hops)
    {
        var sequences = new long[contents.Count];
        var numbers = new long[contents.Count];
        var ids = window is null || contents.Count == 1 ? null : new HashSet<string>(StringComparer.Ordinal);
        for (var i = 0; i < contents.Count; i++)
        {
            var content = contents[i];
            if (window is not null && (window.Contains(content.MessageId) || ids?.Add(content.MessageId) == false))
            {
                continue;
            }

            // A time that has passed is no schedule, and what was forwarded has had its time already.
            var scheduled = content.ScheduledFor is { } time && time > now && hops == 0;
            var queues = route(content, scheduled);
            var copies = new QueuedMessage[queues.Count];
            for (var j = 0; j < copies.Length; j++)
            {
                copies[j] = queues[j].Contents.Create(content, now, scheduled ? content.ScheduledFor : null, hops);
            }

            numbers[i] = content.Arrival = store.Numbers.Next();
            sequences[i] = copies.Length == 1 ? copies[0].Sequence : 0;
            arrivals.Add(new Arrival(content, now, hops, copies));
        }

        return new Receipt(sequences, numbers);
    }

    private void Spill(List<Arrival> arrivals)
    {
        foreach (var arrival in arrivals)
        {
            if (arrival.Copies.Length > 0)
            {
                arrival.Content.Spill(store.Budget);
            }
        }
    }

    private long CostOf(List<Arrival> arrivals)
    {
        long cost = 0;
        foreach (var (content, _, _, copies) in arrivals)
        {
            cost += copies.Length == 0 ? 0 : content.Cost + (copies.Length * (long)MemoryBudget.EntryOverhead);
            cost += window is null ? 0 : DuplicateWindow.CostOf(content.MessageId);
        }

        return cost;
    }

    private void Record(List<Arrival> arrivals, Receipt receipt, Action<Receipt>? stored)
    {
        var worthwhile = arrivals.Exists(arrival => arrival.Copies.Length > 0 || window is not null);
        var written = worthwhile ? store.Log?.Enqueued(arrivals) : null;

        try
        {
            stored?.Invoke(receipt);
        }
        catch
        {
            // The gate is held: it is still the newest record.
            if (written is { } at)
            {
                store.Log?.Withdrawn(at);
            }

            throw;
        }
    }
}

/// <summary>A message with the place it gets in each queue that keeps it.</summary>
internal readonly record struct Arrival(MessageContent Content, DateTimeOffset Enqueued, byte Hops, QueuedMessage[] Copies);
