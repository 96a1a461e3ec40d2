namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>What a queue or subscription holds.</summary>
/// <param name="Name">Its path.</param>
/// <param name="Active">Messages that wait or are locked.</param>
/// <param name="Dead">Messages in its dead-letter queue.</param>
/// <param name="Scheduled">Messages whose time has not come.</param>
/// <param name="Deferred">Messages that are received by their number only.</param>
/// <param name="Bytes">All of them, dead letters included, without what it costs to keep them.</param>
internal sealed record QueueStatistics(string Name, int Active, int Dead, int Scheduled, int Deferred, long Bytes)
{
    public static QueueStatistics Of(string name, MessageIndex messages, MessageIndex? dead) =>
        new(
            name,
            messages.CountOf(MessageState.Available) + messages.CountOf(MessageState.Locked) + messages.CountOf(MessageState.Forwarding),
            dead?.Count ?? 0,
            messages.CountOf(MessageState.Scheduled),
            messages.CountOf(MessageState.Deferred),
            messages.Bytes + (dead?.Bytes ?? 0)
        );
}

/// <summary>What a topic holds: messages that are scheduled, and its subscriptions.</summary>
internal sealed record TopicStatistics(string Name, int Scheduled, IReadOnlyList<QueueStatistics> Subscriptions);
