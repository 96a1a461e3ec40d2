namespace EventHubThroughput.Comparison;

/// <summary>
/// Little's law for one stage, which holds whatever the strategy: mean in flight = rate x mean time. Where the two sides differ, one of the three
/// figures is wrong.
/// </summary>
/// <param name="Expected">Rate x mean time, in events.</param>
/// <param name="Error">Expected / measured - 1. 0 where both are 0, infinite where only the measured one is.</param>
internal sealed record LittleCheck(double Expected, double Error)
{
    /// <summary>A larger error, either way, is one of timing.</summary>
    public const double MostError = 0.05;

    /// <summary>Whether the result has a timing error and must be marked so.</summary>
    public bool IsTimingError => Math.Abs(Error) > MostError;

    /// <summary>Checks one stage.</summary>
    /// <param name="perSecond">What passes through it in a second.</param>
    /// <param name="meanSeconds">How long one stays, in seconds.</param>
    /// <param name="meanInFlight">How many were in it on average, measured by itself.</param>
    public static LittleCheck Of(double perSecond, double meanSeconds, double meanInFlight)
    {
        var expected = perSecond * meanSeconds;
        return new(
            expected,
            meanInFlight > 0 ? (expected / meanInFlight) - 1
                : expected > 0 ? double.PositiveInfinity
                : 0
        );
    }
}
