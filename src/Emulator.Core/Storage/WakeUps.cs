namespace EventHubThroughput.Emulator.Storage;

/// <summary>Subscribers that are notified of additions. Safe for several threads.</summary>
internal sealed class WakeUps
{
    private readonly Lock _gate = new();

    // Replaced as a whole under the gate, read without it.
    private volatile WakeUp[] _subscribers = [];

    /// <summary>The number of subscribers.</summary>
    public int Count => _subscribers.Length;

    public void Add(WakeUp subscriber)
    {
        lock (_gate)
        {
            _subscribers = [.. _subscribers, subscriber];
        }
    }

    public void Remove(WakeUp subscriber)
    {
        lock (_gate)
        {
            _subscribers = [.. _subscribers.Where(other => other != subscriber)];
        }
    }

    public void SetAll()
    {
        foreach (var subscriber in _subscribers)
        {
            subscriber.Set();
        }
    }
}
