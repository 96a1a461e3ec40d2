namespace EventHubThroughput.Strategies;

/// <summary>
/// Finds the useful concurrency. It compares the goodput at two degrees. The goodput at the higher degree, times the latency at the lower one, is the
/// concurrency that would have been sufficient. From a low start it doubles while all of the increase is useful, and otherwise stays at the useful part. Then
/// it tries a quarter more, every fourth time a fifth less, and takes larger steps in a direction that succeeds. Each comparison estimates the knee
/// independently, so errors do not accumulate. If many tries fail, it decreases by a fixed share. Used under its owner's lock.
/// </summary>
/// <param name="timeProvider">The clock.</param>
internal sealed class DegreeSearch(TimeProvider timeProvider)
{
    private const int First = 4;
    private const double SmallStep = 1.25;
    private const double LargestStep = 2;

    // Shares of an increase: from the upper value on, all of it was useful. Up to the lower value, none of it was.
    private const double AllOfUse = 0.8;
    private const double NothingOfUse = 0.2;

    // The useful share that a short look must show before a full epoch follows. Above the knee events wait for a whole round, which the slowest hundredth of
    // the latencies shows.
    private const double Promising = 0.3;

    // One of this many tries is a decrease: a decrease costs throughput, an increase only costs latency.
    private const int TriesPerLess = 4;
    private const int MostRests = 10;
    private const double News = 0.1;
    private const double Unsteady = 0.2;

    // Below this share there were free places: the input was the limit, not the degree.
    private const double Busy = 0.8;

    private const double Failing = 0.1;
    private const double Decrease = 0.7;
    private static readonly TimeSpan LongestRest = TimeSpan.FromSeconds(6);

    private readonly Epoch epoch = new(timeProvider);
    private Phase phase = Phase.Resting;
    private int most = First;
    private double step = LargestStep;

    // The other side of the comparison: the degree before a try, and its goodput. 0 while not known.
    private int before;
    private double reference;

    private bool isLook;
    private int tries;
    private int rests = 1;
    private int restsLeft = 1;
    private long restingSince = timeProvider.GetTimestamp();

    private enum Phase
    {
        Resting,
        More,
        Less,
    }

    /// <summary>The present degree.</summary>
    public int Degree { get; private set; } = First;

    /// <summary>The upper limit. At least 1.</summary>
    public int Most
    {
        get => most;
        set
        {
            most = value;
            if (Degree > most)
            {
                Rest(most);
            }
        }
    }

    /// <summary>Records an event that has succeeded.</summary>
    /// <param name="latency">The latency of the event.</param>
    public void Completed(TimeSpan latency)
    {
        if (
            epoch.Completed(
                latency,
                Degree,
                isLook ? EpochLength.Look
                    : step > SmallStep ? EpochLength.LargeStep
                    : EpochLength.Full
            )
        )
        {
            Judge();
        }
    }

    /// <summary>Records a failed try of a write. The write may continue.</summary>
    public void Failed()
    {
        epoch.Failed();
        if (epoch.Failures >= First && epoch.FailedShare > Failing)
        {
            (step, rests, reference) = (SmallStep, 1, 0);
            Rest(Math.Max(Math.Min(First, Degree), (int)(Degree * Decrease)), always: true);
        }
    }

    /// <summary>Records that the destination asks to slow down: an increase is undone, and the measurement is discarded.</summary>
    public void Yield()
    {
        step = SmallStep;
        Rest(phase == Phase.More ? before : Degree);
    }

    private void Judge()
    {
        if (epoch.MeanInFlight < Busy * Degree)
        {
            step = phase == Phase.Resting ? step : SmallStep;
            Rest(phase == Phase.Resting ? Degree : before);
            return;
        }

        switch (phase)
        {
            case Phase.More:
                More(before / reference, epoch.Goodput);
                break;
            case Phase.Less:
                Less(Degree / epoch.Goodput, reference);
                break;
            default:
                ContinueResting();
                break;
        }
    }

    // Little's law gives the latency at the lower degree. With the goodput at the higher degree it gives the useful concurrency.
    private void More(double latency, double goodput)
    {
        var useful = Math.Clamp(latency * goodput, before, Degree);
        var share = (useful - before) / (Degree - before);
        if (isLook && share >= Promising)
        {
            // The full epoch decides.
            isLook = false;
        }
        else if (isLook)
        {
            Found(before, latency);
        }
        else if (share < AllOfUse)
        {
            Found(useful, latency);
        }
        else if (Degree == most)
        {
            Found(Degree, latency);
        }
        else
        {
            Continue(Phase.More);
        }
    }

    private void Less(double latency, double goodput)
    {
        var useful = Math.Clamp(latency * goodput, Degree, before);
        if (useful > Degree + (NothingOfUse * (before - Degree)))
        {
            Found(useful, latency);
        }
        else if (Degree == 1)
        {
            Found(Degree, latency);
        }
        else
        {
            Continue(Phase.Less);
        }
    }

    // Repeats the direction with a larger step.
    private void Continue(Phase way)
    {
        step = Math.Min(LargestStep, step * step);
        rests = 1;
        Try(way, epoch.Goodput);
    }

    private void Found(double useful, double latency)
    {
        var degree = (int)Math.Round(useful);
        var isNews = step > SmallStep || Math.Abs(degree - before) > News * before;
        rests = isNews ? 1 : Math.Min(MostRests, rests * 2);

        // An increase in large steps is measured in short epochs, and may have gone too far.
        tries = phase == Phase.More && step > SmallStep ? -1 : tries;
        (step, reference) = (SmallStep, degree / latency);
        Rest(degree);
    }

    private void Rest(int degree, bool always = false)
    {
        isLook = false;
        (phase, restsLeft, restingSince) = (Phase.Resting, rests, timeProvider.GetTimestamp());
        // A partition that has left may have lowered the limit below the degree to return to.
        Change(Math.Min(degree, most), always);
    }

    private void ContinueResting()
    {
        var goodput = epoch.Goodput;
        var change = reference == 0 ? 0 : (goodput / reference) - 1;
        if (Math.Abs(change) > Unsteady)
        {
            // The larger the change, the larger the first step.
            (rests, step) = (1, Math.Clamp(change < 0 ? reference / goodput : goodput / reference, SmallStep, LargestStep));
            Try(change < 0 ? Phase.Less : Phase.More, goodput);
            return;
        }

        reference = reference == 0 ? goodput : (reference + goodput) / 2;
        if (--restsLeft > 0 && timeProvider.GetElapsedTime(restingSince) < LongestRest)
        {
            epoch.Restart();
            return;
        }

        Try(++tries % TriesPerLess == 0 ? Phase.Less : Phase.More, reference);
    }

    private void Try(Phase way, double goodput)
    {
        (phase, before, reference) = (way, Degree, goodput);
        var degree = (int)Math.Round(way == Phase.More ? Math.Max(Degree + 1, Degree * step) : Math.Min(Degree - 1, Math.Ceiling(Degree / step)));
        degree = Math.Clamp(degree, 1, most);
        if (degree == Degree)
        {
            step = SmallStep;
            Rest(degree);
            return;
        }

        isLook = way == Phase.More && step == SmallStep;
        Change(degree);
    }

    private void Change(int degree, bool always = false)
    {
        if (degree != Degree || always)
        {
            epoch.Settle(Degree);
            Degree = degree;
        }

        epoch.Restart();
    }
}
