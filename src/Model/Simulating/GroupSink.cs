namespace EventHubThroughput.Model.Simulating;

/// <summary>The common rule of all sinks of a strategy that groups events.</summary>
/// <param name="Degree">The most operations under way at a sink.</param>
/// <param name="Linger">How long events wait for others, in milliseconds.</param>
/// <param name="Window">The most events handed over.</param>
internal sealed record GroupRule(int Degree, double Linger, int Window);

/// <summary>The callbacks of a sink.</summary>
/// <param name="Begun">Its operation begins with these events: the first and the number.</param>
/// <param name="Ended">That operation has ended.</param>
/// <param name="Changed">Another operation may begin, here or at another sink.</param>
internal sealed record GroupNotices(Action<int, int> Begun, Action<int, int> Ended, Action Changed);

/// <summary>
/// The operations at one sink. One begins when enough events wait, when no other is under way, or when the oldest has waited for the linger time. It does not
/// begin with fewer than enough while the sink waits for another one.
/// </summary>
/// <param name="calendar">The virtual time.</param>
/// <param name="events">Has the time for which they have waited.</param>
/// <param name="rule">The common rule of all sinks.</param>
/// <param name="notices">Receives the events of its operations.</param>
/// <param name="most">The most events of an operation.</param>
/// <param name="write">Does an operation with this number of events.</param>
internal sealed class GroupSink(Calendar calendar, SimulatedEvents events, GroupRule rule, GroupNotices notices, int most, Action<int, Action> write)
{
    private int handedOver;
    private int underWay;
    private bool lingers;

    /// <summary>Events taken so far.</summary>
    public int Taken { get; private set; }

    /// <summary>The number of events with which an operation waits for no others: a quarter of a small window.</summary>
    public int Enough => Math.Clamp(rule.Window / 4, 1, most);

    /// <summary>Adds events that wait.</summary>
    public void Add(int count) => handedOver += count;

    /// <summary>Begins the operations that are due.</summary>
    /// <param name="limit">The number of events that may be taken in all before the sink is too far ahead of another.</param>
    /// <returns>Whether an operation began.</returns>
    public bool Begin(int limit)
    {
        var begun = false;
        while (underWay < rule.Degree && IsDue(limit) && Math.Min(most, Allowed(limit)) is > 0 and var count)
        {
            Begin(Taken, count);
            begun = true;
        }

        LingerIfFew(limit);
        return begun;
    }

    private int Allowed(int limit) => Math.Min(handedOver, limit) - Taken;

    private bool WaitsForAnother(int limit) => limit < handedOver;

    private bool IsDue(int limit) =>
        Allowed(limit) >= Enough || (Taken < handedOver && !WaitsForAnother(limit) && (underWay == 0 || events.GetAge(Taken) >= rule.Linger));

    private void Begin(int from, int count)
    {
        Taken += count;
        underWay++;
        notices.Begun(from, count);
        write(
            count,
            () =>
            {
                underWay--;
                notices.Ended(from, count);
                notices.Changed();
            }
        );
    }

    private void LingerIfFew(int limit)
    {
        if (lingers || Taken == handedOver || underWay == rule.Degree || WaitsForAnother(limit))
        {
            return;
        }

        lingers = true;
        calendar.At(
            calendar.Now + Math.Max(1, Math.Ceiling(rule.Linger - events.GetAge(Taken))),
            () =>
            {
                lingers = false;
                notices.Changed();
            }
        );
    }
}
