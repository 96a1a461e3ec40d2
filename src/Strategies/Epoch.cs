namespace EventHubThroughput.Strategies;

/// <summary>The length of a measurement.</summary>
/// <param name="Rounds">The number of events as a multiple of the degree.</param>
/// <param name="LeastSample">The fewest events.</param>
/// <param name="Shortest">The shortest time.</param>
internal sealed record EpochLength(int Rounds, int LeastSample, TimeSpan Shortest)
{
    // Long enough for a throttle to arrive.
    private static readonly TimeSpan Usual = TimeSpan.FromMilliseconds(250);

    public static EpochLength Full { get; } = new(16, 400, Usual);

    public static EpochLength LargeStep { get; } = new(4, 100, Usual);

    public static EpochLength Look { get; } = new(4, 32, TimeSpan.Zero);
}

/// <summary>
/// The measurement of one degree. It takes several rounds, so that the variation of latencies does not hide the effect of a step, and fewer while the steps
/// are large. It ends with a whole round, because events that began together end together. Events that began under another degree are left out.
/// </summary>
internal sealed class Epoch(TimeProvider timeProvider)
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);

    private int settling;
    private int completed;
    private TimeSpan latencies;
    private long since = timeProvider.GetTimestamp();

    public int Failures { get; private set; }

    /// <summary>The share of tries that failed.</summary>
    public double FailedShare => Failures / (double)(Failures + completed);

    /// <summary>Events per second.</summary>
    public double Goodput => completed / Elapsed.TotalSeconds;

    /// <summary>The mean concurrency, by Little's law.</summary>
    public double MeanInFlight => latencies / Elapsed;

    private TimeSpan Elapsed => timeProvider.GetElapsedTime(since);

    /// <summary>Records an event that has succeeded. True when the epoch has ended.</summary>
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

    /// <summary>Records a failed try.</summary>
    public void Failed() => Failures += IsSettling() ? 0 : 1;

    /// <summary>The next completions are of events that began before.</summary>
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
