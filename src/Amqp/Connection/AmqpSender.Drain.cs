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

    /// <summary>Returns the rest of the credit and informs the peer. Does nothing unless the peer asked for that.</summary>
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

    // A peer that settles nothing delays its own next message. The task that serves the link waits for it and cannot answer a drain.
    private void GiveBackIfHeldUp()
    {
        if (_drain && _waiting.First is { Started: false, Transfer.Settled: false } && !Session.MayStart)
        {
            CompleteDrainLocked();
        }
    }
}
