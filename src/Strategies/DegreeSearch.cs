namespace EventHubThroughput.Strategies;

/// <summary>
/// Finds the degree from which on goodput rises no more. It doubles the degree while that pays; then it tries one step up and one step
/// down in turn, and keeps what pays: more only if goodput rises by a good part of what the step adds, less if it falls by less than
/// that part of what the step takes. Where nothing changes it tries more and more seldom. Throttles and failures take a share of the degree at
/// once; after a throttle it stays below the degree at which that happened for a while. Used under its owner's lock.
/// </summary>
/// <param name="most">The upper limit.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class DegreeSearch(int most, TimeProvider timeProvider)
{
    private const int First = 4;

    // Of a comparison: so many that the spread of latencies does not hide what a step pays; fewer while the steps are large.
    private const int LeastSample = 400;
    private const int Rounds = 16;
    private const int LeastSampleAtStart = 40;
    private const int RoundsAtStart = 4;

    // Of what a step adds or takes: at half of it, a step might stop short of nine tenths of the knee.
    private const double PayingShare = 0.35;
    private const int MostRests = 8;
    private const double Step = 1.25;
    private const double Decrease = 0.7;
    private const double BelowThrottle = 0.95;
    private const double Unsteady = 0.2;

    // A share of tries that failed from which on more at once cannot help.
    private const double Failing = 0.1;
    private static readonly TimeSpan LongestEpoch = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan FirstHold = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan LongestHold = TimeSpan.FromMinutes(4);

    private Phase phase = Phase.Doubling;
    private Phase lastProbe = Phase.Down;
    private double reference;
    private int before;
    private int rests;
    private int restsLeft;

    // Of the epoch: what is left of the writes begun under another degree, what has completed since, and since when.
    private int settling;
    private int completed;
    private int failed;
    private bool starved;
    private long since = timeProvider.GetTimestamp();

    private int? throttledCap;
    private TimeSpan hold = FirstHold;
    private long heldSince;

    private enum Phase
    {
        Doubling,
        Resting,
        Up,
        Down,
    }

    /// <summary>The degree in force.</summary>
    public int Degree { get; private set; } = Math.Min(First, most);

    /// <summary>A place was free and no event waited: what is measured now says nothing about the degree.</summary>
    public void Starve() => starved = true;

    /// <summary>A write has ended well.</summary>
    public void Completed()
    {
        if (settling > 0)
        {
            Settle();
            return;
        }

        completed++;
        if (completed >= (phase == Phase.Doubling ? Math.Max(RoundsAtStart * Degree, LeastSampleAtStart) : Math.Max(Rounds * Degree, LeastSample)) || IsLong())
        {
            EndEpoch();
        }
    }

    /// <summary>A try of a write has failed; the write may go on.</summary>
    /// <param name="throttled">Whether the destination asked to slow down.</param>
    public void Failed(bool throttled)
    {
        if (settling > 0)
        {
            // It was begun before the degree was lowered, unless that is long ago: then nothing gets through.
            settling = IsLong() ? 1 : settling;
            if (settling > 1)
            {
                return;
            }

            Settle();
        }

        failed++;
        if (throttled)
        {
            Lower(throttled: true);
        }
        else if (IsLong() || failed >= Degree)
        {
            EndEpoch();
        }
    }

    private bool IsLong() => timeProvider.GetElapsedTime(since) >= LongestEpoch;

    private void Settle()
    {
        if (--settling == 0)
        {
            Restart();
        }
    }

    private void EndEpoch()
    {
        if (failed > Failing * (completed + failed))
        {
            Lower(throttled: false);
            return;
        }

        if (starved || completed == 0)
        {
            Restart();
            return;
        }

        var goodput = completed / timeProvider.GetElapsedTime(since).TotalSeconds;
        switch (phase)
        {
            case Phase.Doubling:
                Double(goodput);
                break;
            case Phase.Resting:
                Rest(goodput);
                break;
            default:
                Judge(goodput);
                break;
        }
    }

    private void Double(double goodput)
    {
        if (before > 0 && goodput < reference * Pays(Degree / (double)before))
        {
            // What the sinks really took is the goodput by the latency of the degree before: so many would have been enough.
            Rest(goodput, (int)Math.Ceiling(before * Math.Max(1, goodput / reference)));
            return;
        }

        if (Degree >= Most())
        {
            Rest(goodput, Degree);
            return;
        }

        (reference, before) = (goodput, Degree);
        Change(Math.Min(Most(), Degree * 2));
    }

    private void Rest(double goodput, int degree)
    {
        (phase, reference, rests, restsLeft) = (Phase.Resting, goodput, 1, 1);
        Change(degree);
    }

    private void Rest(double goodput)
    {
        if (Math.Abs(goodput - reference) > Unsteady * reference)
        {
            (rests, restsLeft) = (1, 1);
        }

        reference = goodput;
        if (--restsLeft > 0)
        {
            Restart();
            return;
        }

        Probe(lastProbe == Phase.Up || Degree >= Most() ? Phase.Down : Phase.Up);
    }

    private void Probe(Phase way)
    {
        before = Degree;
        phase = lastProbe = way;
        Change(way == Phase.Up ? Math.Min(Most(), (int)Math.Ceiling(Degree * Step)) : Math.Max(1, (int)Math.Floor(Degree / Step)));
    }

    // More must pay; less need not cost.
    private void Judge(double goodput)
    {
        var ratio = Degree / (double)before;
        if (Degree != before && goodput >= reference * Pays(ratio))
        {
            // The same way again: it may lead further.
            (reference, rests) = (goodput, 1);
            Probe(phase);
        }
        else
        {
            var longer = Math.Min(MostRests, rests * 2);
            Rest(reference, before);
            (rests, restsLeft) = (longer, longer);
        }
    }

    private static double Pays(double ratio) => 1 + ((ratio - 1) * PayingShare);

    private void Lower(bool throttled)
    {
        if (throttled)
        {
            hold = throttledCap is null ? FirstHold : Min(2 * hold, LongestHold);
            throttledCap = Math.Max(1, Math.Min(Degree - 1, (int)(Degree * BelowThrottle)));
            heldSince = timeProvider.GetTimestamp();
        }

        (phase, rests, restsLeft, reference) = (Phase.Resting, 1, 1, 0);
        Change(Math.Max(1, (int)(Degree * Decrease)), always: true);
    }

    // After a hold a throttled search may go a step beyond it.
    private int Most()
    {
        if (throttledCap < most && timeProvider.GetElapsedTime(heldSince) > hold)
        {
            throttledCap++;
            heldSince = timeProvider.GetTimestamp();
        }

        return throttledCap ?? most;
    }

    private void Change(int degree, bool always = false)
    {
        if (degree != Degree || always)
        {
            settling = Degree;
            Degree = degree;
        }

        Restart();
    }

    private void Restart() => (completed, failed, starved, since) = (0, 0, false, timeProvider.GetTimestamp());

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
