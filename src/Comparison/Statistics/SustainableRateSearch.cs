namespace EventHubThroughput.Comparison;

/// <summary>What a run at a rate has told.</summary>
internal enum RateOutcome
{
    /// <summary>Its events did not wait ever longer.</summary>
    Kept,

    /// <summary>They did (<see cref="LagGrowth"/>).</summary>
    FellBehind,

    /// <summary>Less was sent than was meant, so the rate was not tried.</summary>
    SentTooSlowly,

    /// <summary>It tells nothing: it failed, or was measured on a machine that was too busy.</summary>
    Unusable,
}

/// <summary>How a search has ended.</summary>
internal enum RateSearchEnd
{
    /// <summary>It goes on.</summary>
    None,

    /// <summary>The largest rate is known within the precision.</summary>
    Found,

    /// <summary>What sends could not reach a rate that is not kept: it is at least the largest that was kept.</summary>
    InputBound,

    /// <summary>Even the least rate is not kept.</summary>
    NoneKept,

    /// <summary>The same rate told nothing twice.</summary>
    Unusable,

    /// <summary>The runs contradict each other for too long.</summary>
    Undecided,
}

/// <summary>
/// Searches the sustainable rate: the largest at which events do not wait ever longer. It goes up or down from a guess by growing steps until the rate lies
/// between one that is kept and one that is not, and then halves what is between them. One run may be lucky, or unlucky: both ends need one run more than
/// contradicts them, and at the end two.
/// </summary>
internal sealed class SustainableRateSearch
{
    /// <summary>The smallest rate that is not kept is at most so many times the one that is found.</summary>
    public const double Precision = 1.04;

    /// <summary>A search that has not ended after so many runs is undecided.</summary>
    public const int MostRuns = 24;

    private const double FirstStep = 1.2;
    private const double LargestStep = 4;
    private const int Sure = 2;
    private const int MostUnusable = 2;

    private readonly double least;
    private readonly double most;

    // How many more runs have kept a rate than have not. What could not be sent is not kept for sure.
    private readonly SortedDictionary<double, int> tried = [];
    private double step = FirstStep;
    private double inputLimit = double.PositiveInfinity;
    private int unusable;
    private int runs;

    /// <param name="guess">Where to begin, in events a second.</param>
    /// <param name="least">No smaller rate is tried. Above 0.</param>
    /// <param name="most">No larger rate is tried.</param>
    public SustainableRateSearch(double guess, double least, double most)
    {
        (this.least, this.most) = (Written(least), Written(most));
        Rate = Within(guess);
    }

    /// <summary>The rate to try now, in events a second.</summary>
    public double Rate { get; private set; }

    /// <summary>How it has ended.</summary>
    public RateSearchEnd End { get; private set; }

    /// <summary>The largest rate that is kept, below all that are not. Null as long as there is none.</summary>
    public double? Kept =>
        tried.LastOrDefault(one => one.Value > 0 && one.Key < (NotKept ?? double.PositiveInfinity)) is { Key: > 0 and var rate } ? rate : null;

    /// <summary>The smallest rate that is not kept, or could not be sent. Null as long as there is none.</summary>
    public double? NotKept => tried.FirstOrDefault(static one => one.Value < 0) is { Key: > 0 and var rate } ? rate : null;

    /// <summary>Takes what the run at <see cref="Rate"/> has told.</summary>
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
            : next is null ? EndOf()
            : runs >= MostRuns ? RateSearchEnd.Undecided
            : RateSearchEnd.None;
        Rate = next ?? Rate;
    }

    // What is between the two ends, or else whichever of them is not sure. Null where there is nothing to try.
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

    private RateSearchEnd EndOf() =>
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

    // Four digits: what differs by less is one rate.
    private static double Written(double rate)
    {
        var decimals = 3 - (int)Math.Floor(Math.Log10(rate));
        var unit = Math.Pow(10, -decimals);
        return decimals >= 0 ? Math.Round(rate, decimals) : Math.Round(rate / unit) * unit;
    }
}
