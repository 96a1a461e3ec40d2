namespace EventHubThroughput.Profiles;

/// <summary>Gamma durations with a given mean and standard deviation, by the rejection method of Marsaglia and Tsang (2000).</summary>
internal static class GammaDraw
{
    public static double Next(Random random, double mean, double deviation)
    {
        var shape = mean / deviation * (mean / deviation);
        var scale = deviation * deviation / mean;
        return shape >= 1
            ? scale * Standard(random, shape)
            // The method does not work below 1. There it draws with shape + 1 and shrinks the value by a power of a uniform value.
            : scale * Standard(random, shape + 1) * Math.Pow(1 - random.NextDouble(), 1 / shape);
    }

    private static double Standard(Random random, double shape)
    {
        var d = shape - (1.0 / 3);
        var c = 1 / Math.Sqrt(9 * d);
        while (true)
        {
            var normal = NormalDraw.Next(random);
            var v = 1 + (c * normal);
            if (v <= 0)
            {
                continue;
            }

            v = v * v * v;
            if (Math.Log(1 - random.NextDouble()) < (normal * normal / 2) + d - (d * v) + (d * Math.Log(v)))
            {
                return d * v;
            }
        }
    }
}
