namespace EventHubThroughput.Strategies;

/// <summary>
/// Sets a shared limit to the degree that it finds, from all writes of the process's partitions, and keeps the pace of a quota. Waiting partitions get places
/// in turn. So partitions with input have equal shares, and one without input leaves its places to the others. Any member may be called from any thread.
/// </summary>
/// <param name="limit">The limit to set.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class SharedSearch(SharedLimit limit, TimeProvider timeProvider)
{
    private readonly Lock gate = new();

    // Under the gate.
    private readonly DegreeSearch degrees = new(timeProvider);
    private readonly PaceSearch pace = new(timeProvider);
    private int most;
    private int heldBack;

    /// <summary>The present degree, over all partitions.</summary>
    public int Degree
    {
        get
        {
            lock (gate)
            {
                return degrees.Degree;
            }
        }
    }

    /// <summary>Adds a partition.</summary>
    /// <param name="places">The most concurrent events of the partition.</param>
    public void Join(int places)
    {
        lock (gate)
        {
            most += places;
            Apply();
        }
    }

    /// <summary>Removes a partition.</summary>
    /// <param name="places">The number with which it joined.</param>
    /// <param name="throttled">How many of its events were throttled and never succeeded.</param>
    public void Part(int places, int throttled)
    {
        lock (gate)
        {
            most -= places;
            heldBack -= throttled;
            Apply();
        }
    }

    /// <summary>Completes when an event may begin. A call of <see cref="Leave"/> must follow.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled, and the caller has no place.</exception>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        await limit.EnterAsync(cancellationToken);
        try
        {
            if (NextTurn() is var wait && wait > TimeSpan.Zero)
            {
                await Task.Delay(wait, timeProvider, cancellationToken);
            }
        }
        catch (OperationCanceledException)
        {
            limit.Leave();
            throw;
        }
    }

    /// <summary>Frees the place.</summary>
    public void Leave() => limit.Leave();

    /// <summary>Records an event that has succeeded.</summary>
    /// <param name="latency">Its latency.</param>
    /// <param name="wasThrottled">Whether it was throttled in the meantime: then its latency is ignored.</param>
    public void Completed(TimeSpan latency, bool wasThrottled)
    {
        lock (gate)
        {
            if (wasThrottled)
            {
                heldBack--;
            }
            else
            {
                degrees.Completed(latency);
            }

            Apply();
        }
    }

    /// <summary>Records a failed try of a running write.</summary>
    public void Failed()
    {
        lock (gate)
        {
            degrees.Failed();
            Apply();
        }
    }

    /// <summary>
    /// Records that the destination of a running write has asked to slow down. The event waits as requested. Another event has its place in the meantime.
    /// </summary>
    /// <param name="isFirst">Whether the event was not throttled before.</param>
    public void Throttled(bool isFirst)
    {
        lock (gate)
        {
            if (pace.Throttled())
            {
                degrees.Yield();
            }
            else
            {
                degrees.Failed();
            }

            heldBack += isFirst ? 1 : 0;
            Apply();
        }
    }

    private TimeSpan NextTurn()
    {
        lock (gate)
        {
            return pace.Next();
        }
    }

    private void Apply()
    {
        degrees.Most = Math.Max(1, most);
        var places = degrees.Degree + Math.Min(heldBack, degrees.Degree);
        if (limit.Limit != places)
        {
            limit.Limit = places;
        }
    }
}
