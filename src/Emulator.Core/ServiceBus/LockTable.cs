namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Which messages are locked under which token, and until when. Under the store's gate.</summary>
internal sealed class LockTable
{
    private readonly Dictionary<Guid, QueuedMessage> _locks = [];
    private readonly DueQueue _ends = new(static (message, due) => message.State == MessageState.Locked && message.LockedUntil.UtcTicks == due);

    /// <summary>Entries held for locks that are to end, ended ones included.</summary>
    public int Entries => _ends.Count;

    public long? Next => _ends.Next;

    /// <summary>A message whose state is now locked.</summary>
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

    /// <summary>Ends a lock before its time. The message's state is another one already.</summary>
    public void Remove(QueuedMessage message)
    {
        _locks.Remove(message.LockToken);
        _ends.Leave();
    }

    /// <summary>The first lock whose time is over. It is to be removed.</summary>
    public QueuedMessage? Over(long now) => _ends.Peek(now);

    private void Hold(QueuedMessage message, DateTimeOffset until)
    {
        message.LockedUntil = until;
        _ends.Add(message, until.UtcTicks);
    }
}
