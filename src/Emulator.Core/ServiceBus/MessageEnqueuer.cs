using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Accepts messages of a queue or topic. It drops duplicates, reserves memory and writes the log. Only then are messages added. An earlier failure changes
/// nothing.
/// </summary>
/// <param name="store">The target.</param>
/// <param name="window">The ids that are duplicates. Null without duplicate detection.</param>
/// <param name="route">Returns the queues that receive a message. Called under the gate of the store.</param>
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
            var cost = GetCost(arrivals);
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

            // A time in the past schedules nothing. A forwarded message was already scheduled where it arrived first.
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

    private long GetCost(List<Arrival> arrivals)
    {
        long cost = 0;
        foreach (var (content, _, _, copies) in arrivals)
        {
            cost += copies.Length == 0 ? 0 : content.Cost + (copies.Length * (long)MemoryBudget.EntryOverhead);
            cost += window is null ? 0 : DuplicateWindow.GetCost(content.MessageId);
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
            // The gate is held, so it is still the newest record.
            if (written is { } at)
            {
                store.Log?.Withdrawn(at);
            }

            throw;
        }
    }
}

/// <summary>A message with its place in each queue that keeps it.</summary>
internal readonly record struct Arrival(MessageContent Content, DateTimeOffset Enqueued, byte Hops, QueuedMessage[] Copies);
