namespace EventHubThroughput.Strategies.Tests;

/// <summary>Latencies of simulated services, the same in every run.</summary>
internal static class Latencies
{
    /// <param name="milliseconds">Their mean.</param>
    /// <param name="spread">Whether they have a coefficient of variation of one half, as a gamma law of shape 4 gives. Else they are constant.</param>
    public static Func<TimeSpan> Of(double milliseconds, bool spread)
    {
        var random = new Random(1);
        return () =>
            TimeSpan.FromMilliseconds(
                spread ? -milliseconds / 4 * Math.Log(random.NextDouble() * random.NextDouble() * random.NextDouble() * random.NextDouble()) : milliseconds
            );
    }
}
