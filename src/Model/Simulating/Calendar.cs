namespace EventHubThroughput.Model.Simulating;

/// <summary>Virtual time in milliseconds: actions run at their time, those of one time in the order in which they were scheduled.</summary>
internal sealed class Calendar
{
    // The tolerance for equal times that were computed in two ways.
    private const double Same = 1e-6;
    private const int MostOfAMoment = 100_000;

    private readonly PriorityQueue<Action, (double Time, long Order)> coming = new(Earlier.Instance);
    private long order;

    /// <summary>The present time.</summary>
    public double Now { get; private set; }

    /// <summary>Schedules an action at a time, which is not before the present one.</summary>
    public void At(double time, Action action) => coming.Enqueue(action, (time, order++));

    /// <summary>Runs until the condition is true, and then to the end of the present time.</summary>
    /// <param name="isOver">The condition, checked after every action.</param>
    /// <returns>False when no action is left.</returns>
    public bool Run(Func<bool> isOver)
    {
        while (!isOver())
        {
            if (!TryNext(double.PositiveInfinity))
            {
                return false;
            }
        }

        // If no operation takes any time, this time would never end.
        var end = Now + Same;
        for (var actions = 0; actions < MostOfAMoment && TryNext(end); actions++) { }
        return true;
    }

    private bool TryNext(double until)
    {
        if (!coming.TryPeek(out var action, out var when) || when.Time > until)
        {
            return false;
        }

        coming.Dequeue();
        Now = Math.Max(Now, when.Time);
        action();
        return true;
    }

    private sealed class Earlier : IComparer<(double Time, long Order)>
    {
        public static Earlier Instance { get; } = new();

        public int Compare((double Time, long Order) x, (double Time, long Order) y) =>
            x.Time < y.Time ? -1
            : x.Time > y.Time ? 1
            : x.Order.CompareTo(y.Order);
    }
}
