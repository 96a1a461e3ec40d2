namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The waiting messages of a queue, each kind in its order. Guarded by the gate of the store.</summary>
internal sealed class WaitingMessages
{
    public DueQueue Available { get; } = new(static (message, _) => message.State == MessageState.Available);

    public DueQueue Scheduled { get; } = new(static (message, _) => message.State == MessageState.Scheduled);

    public DueQueue Expiries { get; } = new(static (message, _) => message.State != MessageState.Gone);

    public DueQueue Outbox { get; } = new(static (message, _) => message.State == MessageState.Forwarding);

    /// <summary>When the first of them expires or is enqueued.</summary>
    public long NextDue => Math.Min(Expiries.Next ?? long.MaxValue, Scheduled.Next ?? long.MaxValue);

    /// <summary>A message leaves the queue.</summary>
    /// <param name="message">The message.</param>
    /// <param name="before">Its state until now.</param>
    public void Leave(QueuedMessage message, MessageState before)
    {
        switch (before)
        {
            case MessageState.Available:
                Available.Leave();
                break;
            case MessageState.Scheduled:
                Scheduled.Leave();
                break;
            case MessageState.Forwarding:
                Outbox.Leave();
                break;
            default:
                break;
        }

        if (message.AwaitsExpiry)
        {
            Expiries.Leave();
        }
    }

    public void Clear()
    {
        Available.Clear();
        Scheduled.Clear();
        Expiries.Clear();
        Outbox.Clear();
    }
}
