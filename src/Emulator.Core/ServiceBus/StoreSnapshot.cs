using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Writes the present state of a store: the beginning of a new log, or the whole of a rewritten one.</summary>
internal static class StoreSnapshot
{
    public static void OfQueue(MessageStore store, MessageQueue queue, StoreLog log)
    {
        log.Queue(queue.Settings);
        WriteMessages(store, log);
    }

    public static void OfTopic(MessageStore store, Topic topic, StoreLog log)
    {
        log.Topic(topic.Settings);
        foreach (var subscription in topic.Subscriptions)
        {
            log.Subscription(subscription.Queue.Id, subscription.Created, subscription.Settings);
            log.Rules(subscription.Queue.Id, subscription.Rules);
        }

        WriteMessages(store, log);
    }

    private static void WriteMessages(MessageStore store, StoreLog log)
    {
        foreach (var queue in store.Queues)
        {
            if (queue.Contents.LastSequence > 0)
            {
                log.LastSequence(queue);
            }
        }

        if (store.Duplicates is { } duplicates)
        {
            log.Remembered(duplicates.Ids);
        }

        // A message of several subscriptions is written once.
        var shared = new Dictionary<MessageContent, List<QueuedMessage>>(ReferenceEqualityComparer.Instance);
        foreach (var message in store.Queues.SelectMany(static queue => queue.Contents.Messages.From(0)))
        {
            if (message.Content.Holders == 1)
            {
                log.Kept(new Arrival(message.Content, message.Enqueued, message.Hops, [message]));
                continue;
            }

            if (!shared.TryGetValue(message.Content, out var copies))
            {
                shared.Add(message.Content, copies = []);
            }

            copies.Add(message);
        }

        foreach (var (content, copies) in shared)
        {
            foreach (var alike in copies.GroupBy(static copy => (copy.Enqueued, copy.Hops)))
            {
                log.Kept(new Arrival(content, alike.Key.Enqueued, alike.Key.Hops, [.. alike]));
            }
        }
    }
}
