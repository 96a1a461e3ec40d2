namespace EventHubThroughput.Model.Simulating;

/// <summary>Durations of one kind of operation: of all of them, by their place in the batch, and as a gauge that each one overwrites.</summary>
internal sealed class StepTimes
{
    private readonly List<(double Sum, int Count)> places = [];
    private double sum;
    private long count;
    private int place;

    // The present value of the gauge, since when it is shown, and the sum of earlier values weighted by time.
    private double shown;
    private double since;
    private double area;
    private double begin = double.NaN;

    /// <summary>Records the end of an operation.</summary>
    /// <param name="now">The present time.</param>
    /// <param name="elapsed">Its duration.</param>
    public void Ended(double now, double elapsed)
    {
        Show(now);
        (shown, begin) = (elapsed, double.IsNaN(begin) ? now : begin);
        (sum, count) = (sum + elapsed, count + 1);
        if (place == places.Count)
        {
            places.Add((0, 0));
        }

        places[place] = (places[place].Sum + elapsed, places[place].Count + 1);
        place++;
    }

    /// <summary>Marks the next operation as the first of another batch.</summary>
    public void BatchEnded() => place = 0;

    /// <summary>The results. Null if there was no operation, or no time passed after the first one.</summary>
    /// <param name="now">The time of the end.</param>
    public SimulatedStep? Figures(double now)
    {
        Show(now);
        return now > begin ? new SimulatedStep(sum / count, area / (now - begin), [.. places.Select(static one => one.Sum / one.Count)]) : null;
    }

    private void Show(double now)
    {
        area += shown * (now - since);
        since = now;
    }
}
