namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>A message's lock while <see cref="LockRenewal"/> renews it. Dispose it once the message is settled.</summary>
public sealed class HeldLock : IDisposable
{
    private readonly LockRenewal renewal;
    private Action? lost;

    internal HeldLock(LockRenewal renewal, ReceivedMessage message, Action? lost)
    {
        this.renewal = renewal;
        this.lost = lost;
        Message = message;
    }

    /// <summary>The message.</summary>
    public ReceivedMessage Message { get; }

    /// <summary>The known end of the lock, by the service's clock.</summary>
    public DateTimeOffset LockedUntil { get; internal set; }

    /// <summary>Whether the service has reported that the lock is gone.</summary>
    public bool IsLost { get; private set; }

    // Under the renewal's gate.
    internal DateTimeOffset Due { get; set; }

    internal DateTimeOffset LastRenewal { get; init; }

    /// <summary>Stops the renewal. May be called twice.</summary>
    public void Dispose() => renewal.Release(this);

    internal void Lose()
    {
        IsLost = true;
        Interlocked.Exchange(ref lost, null)?.Invoke();
    }
}
