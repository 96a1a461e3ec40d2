namespace EventHubThroughput.Profiles;

/// <summary>Lognormal durations with a given mean and standard deviation of the durations themselves, not of their logarithms.</summary>
internal static class LognormalDraw
{
    public static double Next(Random random, double mean, double deviation)
    {
        var ratio = deviation / mean;
        var variance = Math.Log(1 + (ratio * ratio));
        return Math.Exp(Math.Log(mean) - (variance / 2) + (Math.Sqrt(variance) * NormalDraw.Next(random)));
    }
}
