namespace EventHubThroughput.Profiles;

/// <summary>Standard normal values, after Box and Muller.</summary>
internal static class NormalDraw
{
    // 1 - u keeps the logarithm away from zero.
    public static double Next(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
