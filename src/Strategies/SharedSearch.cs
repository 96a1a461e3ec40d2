namespace EventHubThroughput.Strategies;

/// <summary>
/// Sets a shared limit to the degree that it finds, from all that the partitions of the process write, and keeps the pace of a quota. Whoever waits for
/// a place gets it in turn, so that partitions with input share evenly and one without leaves its places to the others. Any member may be called
/// from any thread.
/// </summary>
/// <param name="limit">What it sets.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class SharedSearch(SharedLimit limit, TimeProvider timeProvider)
{
    private readonly Lock gate = new();

    // Under the gate.
    private readonly DegreeSearch degrees = new(timeProvider);
    private readonly PaceSearch pace = new(timeProvider);
    private int most;
    private int heldBack;

    /// <summary>The degree in force, over all partitions.</summary>
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

    /// <summary>A partition joins.</summary>
    /// <param name="places">The most events that it may have at once.</param>
    public void Join(int places)
    {
        lock (gate)
        {
            most += places;
            Apply();
        }
    }

    /// <summary>A partition leaves.</summary>
    /// <param name="places">With how many it joined.</param>
    /// <param name="throttled">How many of its events were throttled and never ended well.</param>
    public void Part(int places, int throttled)
    {
        lock (gate)
        {
            most -= places;
            heldBack -= throttled;
            Apply();
        }
    }

    /// <summary>Completes when an event may begin. <see cref="Leave"/> follows.</summary>
    /// <exception cref="OperationCanceledException">The caller waits no longer, and has no place.</exception>
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

    /// <summary>Gives the place back.</summary>
    public void Leave() => limit.Leave();

    /// <summary>An event has ended well.</summary>
    /// <param name="latency">How long it took.</param>
    /// <param name="wasThrottled">Whether it was held back meanwhile: then its latency says nothing.</param>
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

    /// <summary>A try of a running write has failed.</summary>
    public void Failed()
    {
        lock (gate)
        {
            degrees.Failed();
            Apply();
        }
    }

    /// <summary>The destination of a running write has asked to slow down. The event waits as it was told to. Another one has its place meanwhile.</summary>
    /// <param name="isFirst">Whether the event was not throttled before.</param>
    public void Throttled(bool isFirst)
    {
        lock (gate)
        {
            if (pace.Throttled())
            {
                degrees.GiveWay();
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
