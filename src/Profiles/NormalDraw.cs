namespace EventHubThroughput.Profiles;

/// <summary>Standard normal values, after Box and Muller.</summary>
internal static class NormalDraw
{
    // 1 - u keeps the logarithm away from zero.
    public static double Next(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}

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
