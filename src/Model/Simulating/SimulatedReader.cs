namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Reads a partition with an endless backlog. Without prefetch each batch is requested and pays the receive latency. With prefetch that is paid once, and
/// events arrive at the pace of the hub.
/// </summary>
/// <param name="calendar">The virtual time.</param>
/// <param name="receive">The law from credit on an idle link to the first delivery.</param>
/// <param name="deliver">The hub's pace, shared by all partitions.</param>
/// <param name="settings">Has batch, prefetch and the bytes of an event.</param>
internal sealed class SimulatedReader(Calendar calendar, SimulatedLaw receive, SimulatedLaw deliver, ModelSettings settings)
{
    // Events that the emulator delivers to a link together.
    private const int Run = 64;

    private double receiveFree;
    private double deliverFree;
    private bool isAttached;

    // The state of a paced link with prefetch: events that arrived and were not taken, whether more are under way, and the waiting callback.
    private int queued;
    private bool isComing;
    private Action<int>? waiting;

    /// <summary>Reads the next batch.</summary>
    /// <param name="received">Called with the number of its events.</param>
    public void Read(Action<int> received)
    {
        if (settings.Prefetch == 0 || !isAttached)
        {
            isAttached = true;
            calendar.At(receive.GetEnd(calendar.Now, default, ref receiveFree), () => Received(received));
        }
        else
        {
            Received(received);
        }
    }

    private void Received(Action<int> received)
    {
        if (settings.Prefetch > 0 && deliver.IsPaced)
        {
            waiting = received;
            TakeQueued();
            Fetch();
            return;
        }

        calendar.At(deliver.GetEnd(calendar.Now, GetLoad(settings.Batch), ref deliverFree), () => received(settings.Batch));
    }

    private void Fetch()
    {
        var missing = Math.Min(Run, settings.Prefetch - queued);
        if (isComing || missing <= 0)
        {
            return;
        }

        isComing = true;
        calendar.At(
            deliver.GetEnd(calendar.Now, GetLoad(missing), ref deliverFree),
            () =>
            {
                isComing = false;
                queued += missing;
                TakeQueued();
                Fetch();
            }
        );
    }

    private void TakeQueued()
    {
        if (waiting is not { } received || queued == 0)
        {
            return;
        }

        waiting = null;
        var count = Math.Min(queued, settings.Batch);
        queued -= count;
        calendar.At(calendar.Now, () => received(count));
    }

    private SimulatedLoad GetLoad(int events) => new(events, events * settings.EventBytes);
}
