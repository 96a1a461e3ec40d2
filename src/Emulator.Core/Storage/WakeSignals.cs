namespace EventHubThroughput.Emulator.Storage;

/// <summary>Subscribers that are notified of additions. Safe for several threads.</summary>
internal sealed class WakeSignals
{
    private readonly Lock _gate = new();

    // Replaced as a whole under the gate, read without it.
    private volatile WakeSignal[] _subscribers = [];

    /// <summary>The number of subscribers.</summary>
    public int Count => _subscribers.Length;

    public void Add(WakeSignal subscriber)
    {
        lock (_gate)
        {
            _subscribers = [.. _subscribers, subscriber];
        }
    }

    public void Remove(WakeSignal subscriber)
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
