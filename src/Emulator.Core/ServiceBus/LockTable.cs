namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The locked messages by their token, and the ends of the locks. Guarded by the gate of the store.</summary>
internal sealed class LockTable
{
    private readonly Dictionary<Guid, QueuedMessage> _locks = [];
    private readonly DueQueue _ends = new(static (message, due) => message.State == MessageState.Locked && message.LockedUntil.UtcTicks == due);

    /// <summary>The number of entries for ends of locks, including ended ones.</summary>
    public int Entries => _ends.Count;

    public long? Next => _ends.Next;

    /// <summary>Adds a message whose state is now locked.</summary>
    public void Add(QueuedMessage message, DateTimeOffset until)
    {
        message.LockToken = Guid.NewGuid();
        _locks.Add(message.LockToken, message);
        Hold(message, until);
    }

    public QueuedMessage? Find(Guid token) => _locks.GetValueOrDefault(token);

    public void Renew(QueuedMessage message, DateTimeOffset until)
    {
        _ends.Leave();
        Hold(message, until);
    }

    /// <summary>Ends a lock early. The state of the message has already changed.</summary>
    public void Remove(QueuedMessage message)
    {
        _locks.Remove(message.LockToken);
        _ends.Leave();
    }

    /// <summary>The first expired lock. The caller removes it.</summary>
    public QueuedMessage? Over(long now) => _ends.Peek(now);

    private void Hold(QueuedMessage message, DateTimeOffset until)
    {
        message.LockedUntil = until;
        _ends.Add(message, until.UtcTicks);
    }
}
