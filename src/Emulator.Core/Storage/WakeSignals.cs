namespace EventHubThroughput.Emulator.Storage;

/// <summary>Those who want to know that something was added. Safe for several threads.</summary>
internal sealed class WakeSignals
{
    private readonly Lock _gate = new();

    // Replaced as a whole under the gate, read without it.
    private volatile WakeSignal[] _subscribers = [];

    /// <summary>How many want to know.</summary>
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
