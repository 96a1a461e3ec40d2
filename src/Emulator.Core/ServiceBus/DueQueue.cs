namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Messages in order of their due time: their turn, the end of a lock, or their expiry. Most of them leave earlier. Their entries are skipped, and never make
/// up more than half of all entries. Guarded by the gate of the store.
/// </summary>
/// <param name="isCurrent">Whether a message still waits for this time.</param>
internal sealed class DueQueue(Func<QueuedMessage, long, bool> isCurrent)
{
    private const int SweptFrom = 32;

    private readonly PriorityQueue<QueuedMessage, (long Due, long Sequence)> _entries = new();
    private int _left;

    /// <summary>The number of entries, including those of messages that have left.</summary>
    public int Count => _entries.Count;

    /// <summary>When the first message is due. Null when there is none.</summary>
    public long? Next
    {
        get
        {
            PassOver();
            return _entries.TryPeek(out _, out var priority) ? priority.Due : null;
        }
    }

    public void Add(QueuedMessage message, long due) => _entries.Enqueue(message, (due, message.Sequence));

    /// <summary>The first message, if it is due by that time.</summary>
    public QueuedMessage? Peek(long by)
    {
        PassOver();
        return _entries.TryPeek(out var message, out var priority) && priority.Due <= by ? message : null;
    }

    /// <summary>Removes the first message, if it is due by that time.</summary>
    public QueuedMessage? TryTake(long by) => Peek(by) is null ? null : _entries.Dequeue();

    /// <summary>Call it when a message leaves that was added and not taken.</summary>
    public void Leave()
    {
        _left++;
        if (_left < SweptFrom || _left <= _entries.Count / 2)
        {
            return;
        }

        var current = _entries.UnorderedItems.Where(entry => isCurrent(entry.Element, entry.Priority.Due)).ToArray();
        _entries.Clear();
        _entries.EnqueueRange(current);
        _entries.TrimExcess();
        _left = 0;
    }

    public void Clear()
    {
        _entries.Clear();
        _left = 0;
    }

    private void PassOver()
    {
        while (_entries.TryPeek(out var message, out var priority) && !isCurrent(message, priority.Due))
        {
            _entries.Dequeue();
            _left--;
        }
    }
}
