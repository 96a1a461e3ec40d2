namespace EventHubThroughput.Comparison;

/// <summary>The result of a run at a rate.</summary>
internal enum RateOutcome
{
    /// <summary>The waiting times of its events did not increase continuously.</summary>
    Kept,

    /// <summary>They did (<see cref="LagGrowth"/>).</summary>
    FellBehind,

    /// <summary>Fewer events were sent than scheduled, so the rate was not tested.</summary>
    SentTooSlowly,

    /// <summary>No result: it failed, or the machine was too busy.</summary>
    Unusable,
}

/// <summary>How a search has ended.</summary>
internal enum RateSearchEnd
{
    /// <summary>It has not ended.</summary>
    None,

    /// <summary>The largest rate is known within the precision.</summary>
    Found,

    /// <summary>The sender could not reach a rate that is not kept. The sustainable rate is at least the largest kept one.</summary>
    InputBound,

    /// <summary>Even the lowest rate is not kept.</summary>
    NoneKept,

    /// <summary>A rate gave no result twice.</summary>
    Unusable,

    /// <summary>The runs contradict each other for too long.</summary>
    Undecided,
}

/// <summary>
/// Searches the sustainable rate: the largest at which the waiting times of events do not increase continuously. It moves up or down from a guess by growing
/// steps, until the rate is between one that is kept and one that is not. Then it halves the interval. A single run may be an outlier: both ends need one run
/// more than contradicts them, and at the end two.
/// </summary>
internal sealed class SustainableRateSearch
{
    /// <summary>The ratio of the smallest rate that is not kept to the result is at most this.</summary>
    public const double Precision = 1.04;

    /// <summary>A search that has not ended after this number of runs is undecided.</summary>
    public const int MostRuns = 24;

    private const double FirstStep = 1.2;
    private const double LargestStep = 4;
    private const int Sure = 2;
    private const int MostUnusable = 2;

    private readonly double least;
    private readonly double most;

    // How many more runs have kept a rate than have not. A rate that could not be sent counts as not kept.
    private readonly SortedDictionary<double, int> tried = [];
    private double step = FirstStep;
    private double inputLimit = double.PositiveInfinity;
    private int unusable;
    private int runs;

    /// <param name="guess">The first rate, in events per second.</param>
    /// <param name="least">The lowest rate that is tried. Above 0.</param>
    /// <param name="most">The highest rate that is tried.</param>
    public SustainableRateSearch(double guess, double least, double most)
    {
        (this.least, this.most) = (Written(least), Written(most));
        Rate = Within(guess);
    }

    /// <summary>The rate to try now, in events per second.</summary>
    public double Rate { get; private set; }

    /// <summary>How it has ended.</summary>
    public RateSearchEnd End { get; private set; }

    /// <summary>The largest rate that is kept, below all that are not. Null as long as there is none.</summary>
    public double? Kept =>
        tried.LastOrDefault(one => one.Value > 0 && one.Key < (NotKept ?? double.PositiveInfinity)) is { Key: > 0 and var rate } ? rate : null;

    /// <summary>The smallest rate that is not kept, or could not be sent. Null as long as there is none.</summary>
    public double? NotKept => tried.FirstOrDefault(static one => one.Value < 0) is { Key: > 0 and var rate } ? rate : null;

    /// <summary>Adds the result of the run at <see cref="Rate"/>.</summary>
    public void Add(RateOutcome outcome)
    {
        runs++;
        unusable = outcome == RateOutcome.Unusable ? unusable + 1 : 0;
        tried[Rate] =
            tried.GetValueOrDefault(Rate)
            + outcome switch
            {
                RateOutcome.Kept => 1,
                RateOutcome.FellBehind => -1,
                RateOutcome.SentTooSlowly => -Sure,
                _ => 0,
            };
        inputLimit = outcome == RateOutcome.SentTooSlowly ? Math.Min(inputLimit, Rate) : inputLimit;
        var next = Next();
        End =
            unusable >= MostUnusable ? RateSearchEnd.Unusable
            : next is null ? GetEnd()
            : runs >= MostRuns ? RateSearchEnd.Undecided
            : RateSearchEnd.None;
        Rate = next ?? Rate;
    }

    // The middle of the interval, or else the end that is uncertain. Null if there is nothing to try.
    private double? Next()
    {
        if (tried[Rate] == 0)
        {
            return Rate;
        }

        return (Kept, NotKept) switch
        {
            ({ } low, { } high) when high > low * Precision => Within(Math.Sqrt(low * high)),
            ({ } low, null) when low < most => Within(low * Growing()),
            (null, { } high) when high > least => Within(high / Growing()),
            ({ } low, _) when tried[low] < Sure => low,
            (_, { } high) when tried[high] > -Sure => high,
            _ => null,
        };
    }

    private RateSearchEnd GetEnd() =>
        NotKept is not { } high || high >= inputLimit ? RateSearchEnd.InputBound
        : Kept is null ? RateSearchEnd.NoneKept
        : RateSearchEnd.Found;

    private double Growing()
    {
        var now = step;
        step = Math.Min(step * step, LargestStep);
        return now;
    }

    private double Within(double rate) => Math.Clamp(Written(rate), least, most);

    // Four digits: rates that differ by less count as one.
    private static double Written(double rate)
    {
        var decimals = 3 - (int)Math.Floor(Math.Log10(rate));
        var unit = Math.Pow(10, -decimals);
        return decimals >= 0 ? Math.Round(rate, decimals) : Math.Round(rate / unit) * unit;
    }
}
