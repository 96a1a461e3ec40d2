namespace EventHubThroughput.Amqp;

/// <content>Credit that the peer wants used up or given back.</content>
public sealed partial class AmqpSender
{
    // Guarded by the connection's lock.
    private bool _drain;

    /// <summary>Whether the peer wants its credit used up or given back.</summary>
    public bool DrainRequested
    {
        get
        {
            lock (Gate)
            {
                return _drain;
            }
        }
    }

    /// <summary>Gives the rest of the credit back and tells the peer so. Does nothing unless it asked for that.</summary>
    public void CompleteDrain()
    {
        lock (Gate)
        {
            CompleteDrainLocked();
        }
    }

    internal void TakeDrain() => _drain = true;

    private void CompleteDrainLocked()
    {
        if (!_drain || !IsOpen)
        {
            return;
        }

        _deliveryCount += _credit;
        _credit = 0;
        _drain = false;
        SendFlow(drain: true);
    }

    // A peer that settles nothing holds up its own next message. Whoever serves the link waits with it and cannot answer a drain.
    private void GiveBackIfHeldUp()
    {
        if (_drain && _waiting.First is { Started: false, Transfer.Settled: false } && !Session.MayStart)
        {
            CompleteDrainLocked();
        }
    }
}
