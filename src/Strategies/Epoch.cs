namespace EventHubThroughput.Strategies;

/// <summary>How long is measured.</summary>
/// <param name="Rounds">So many times the degree.</param>
/// <param name="LeastSample">At least so many events.</param>
/// <param name="Shortest">At least so long.</param>
internal sealed record EpochLength(int Rounds, int LeastSample, TimeSpan Shortest)
{
    // Long enough to hear of a throttle.
    private static readonly TimeSpan Usual = TimeSpan.FromMilliseconds(250);

    public static EpochLength Full { get; } = new(16, 400, Usual);

    public static EpochLength LargeStep { get; } = new(4, 100, Usual);

    public static EpochLength Look { get; } = new(4, 32, TimeSpan.Zero);
}

/// <summary>
/// What is measured at one degree: so many rounds of it that the spread of latencies does not hide what a step pays, fewer while the steps are
/// large. It ends with a whole round, since events that began together end together. What was begun under another degree is left out.
/// </summary>
internal sealed class Epoch(TimeProvider timeProvider)
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);

    private int settling;
    private int completed;
    private TimeSpan latencies;
    private long since = timeProvider.GetTimestamp();

    /// <summary>Tries that failed.</summary>
    public int Failures { get; private set; }

    /// <summary>The share of tries that failed.</summary>
    public double FailedShare => Failures / (double)(Failures + completed);

    /// <summary>Events a second.</summary>
    public double Goodput => completed / Elapsed.TotalSeconds;

    /// <summary>By Little's law.</summary>
    public double MeanInFlight => latencies / Elapsed;

    private TimeSpan Elapsed => timeProvider.GetElapsedTime(since);

    /// <summary>An event has ended well. True when the epoch is over.</summary>
    public bool Completed(TimeSpan latency, int degree, EpochLength length)
    {
        if (IsSettling())
        {
            return false;
        }

        completed++;
        latencies += latency;
        var isEnough = completed >= Math.Max(length.Rounds * degree, length.LeastSample) && Elapsed >= length.Shortest;
        return Elapsed >= 2 * Longest || (completed % degree == 0 && (isEnough || Elapsed >= Longest));
    }

    /// <summary>A try has failed.</summary>
    public void Failed() => Failures += IsSettling() ? 0 : 1;

    /// <summary>The next so many ends are of what was begun before.</summary>
    public void Settle(int ends) => settling = ends;

    public void Restart() => (completed, Failures, latencies, since) = (0, 0, TimeSpan.Zero, timeProvider.GetTimestamp());

    private bool IsSettling()
    {
        if (settling == 0)
        {
            return false;
        }

        settling = Elapsed >= Longest ? 0 : settling - 1;
        if (settling == 0)
        {
            Restart();
        }

        return true;
    }
}
