namespace EventHubThroughput.Comparison;

/// <summary>
/// Little's law for one stage, which is true for any strategy: mean in flight = rate x mean time. If the two sides differ, one of the three values is wrong.
/// </summary>
/// <param name="Expected">Rate x mean time, in events.</param>
/// <param name="Error">Expected / measured - 1. 0 if both are 0, infinite if only the measured one is.</param>
internal sealed record LittleCheck(double Expected, double Error)
{
    /// <summary>A larger error, in either direction, is a timing error.</summary>
    public const double MostError = 0.05;

    /// <summary>Whether the result has a timing error and must be marked.</summary>
    public bool IsTimingError => Math.Abs(Error) > MostError;

    /// <summary>Checks one stage.</summary>
    /// <param name="perSecond">The number that passes through it per second.</param>
    /// <param name="meanSeconds">The mean time in it, in seconds.</param>
    /// <param name="meanInFlight">The mean number in it, measured independently.</param>
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
