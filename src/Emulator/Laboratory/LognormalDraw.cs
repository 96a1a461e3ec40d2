namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>Lognormal durations with a given mean and standard deviation of the durations themselves, not of their logarithms.</summary>
internal sealed class LognormalDraw
{
    private readonly double _constant;
    private readonly double _mu;
    private readonly double _sigma;

    public LognormalDraw(double mean, double deviation)
    {
        _constant = mean;
        if (mean > 0 && deviation > 0)
        {
            var ratio = deviation / mean;
            var variance = Math.Log(1 + (ratio * ratio));
            _sigma = Math.Sqrt(variance);
            _mu = Math.Log(mean) - (variance / 2);
        }
    }

    public double Next(Random random) => _sigma > 0 ? Math.Exp(_mu + (_sigma * Normal(random))) : _constant;

    // Box and Muller; 1 - u keeps the logarithm away from zero.
    private static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
