namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The contents of a queue or subscription.</summary>
/// <param name="Name">Its path.</param>
/// <param name="Active">Messages that are available or locked.</param>
/// <param name="Dead">Messages in its dead-letter queue.</param>
/// <param name="Scheduled">Messages that are not due yet.</param>
/// <param name="Deferred">Messages that can be received only by their number.</param>
/// <param name="Bytes">Bytes of all messages, including dead letters, without overhead.</param>
internal sealed record QueueStatistics(string Name, int Active, int Dead, int Scheduled, int Deferred, long Bytes)
{
    public static QueueStatistics Of(string name, MessageIndex messages, MessageIndex? dead) =>
        new(
            name,
            messages.GetCount(MessageState.Available) + messages.GetCount(MessageState.Locked) + messages.GetCount(MessageState.Forwarding),
            dead?.Count ?? 0,
            messages.GetCount(MessageState.Scheduled),
            messages.GetCount(MessageState.Deferred),
            messages.Bytes + (dead?.Bytes ?? 0)
        );
}

/// <summary>The contents of a topic: scheduled messages and its subscriptions.</summary>
internal sealed record TopicStatistics(string Name, int Scheduled, IReadOnlyList<QueueStatistics> Subscriptions);
