namespace EventHubThroughput.Model.Simulating;

/// <summary>Virtual time in milliseconds: what is to happen at its moment, of one moment in the order in which it was asked for.</summary>
internal sealed class Calendar
{
    // What was computed on two ways to the same moment.
    private const double Same = 1e-6;
    private const int MostOfAMoment = 100_000;

    private readonly PriorityQueue<Action, (double Time, long Order)> coming = new(Earlier.Instance);
    private long order;

    /// <summary>The moment.</summary>
    public double Now { get; private set; }

    /// <summary>Has something done at a moment, which is not before this one.</summary>
    public void At(double time, Action action) => coming.Enqueue(action, (time, order++));

    /// <summary>Goes on until told to stop, and then to the end of that moment.</summary>
    /// <param name="isOver">Asked after everything that has happened.</param>
    /// <returns>False when nothing is left that could happen.</returns>
    public bool Run(Func<bool> isOver)
    {
        while (!isOver())
        {
            if (!TryNext(double.PositiveInfinity))
            {
                return false;
            }
        }

        // Where nothing takes any time the moment has no end.
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
