namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Where values are placed on an axis: equal distances for equal differences, or for equal ratios.</summary>
internal sealed record Scale
{
    private static readonly double[] Steps = [1, 2, 5, 10];

    private Scale(double low, double high, bool isLog) => (Low, High, IsLog) = (low, high, isLog);

    /// <summary>The value at the axis' beginning.</summary>
    public double Low { get; }

    /// <summary>The value at its end.</summary>
    public double High { get; }

    /// <summary>Whether equal distances are equal ratios.</summary>
    public bool IsLog { get; }

    /// <summary>The pixel at which the axis begins.</summary>
    public double From { get; init; }

    /// <summary>The pixel at which it ends. May be less than <see cref="From"/>.</summary>
    public double To { get; init; } = 1;

    /// <summary>An axis from 0 that ends at a round number.</summary>
    public static Scale FromZero(IEnumerable<double> values)
    {
        var most = values.Append(0).Max();
        return Linear(0, most > 0 ? most : 1);
    }

    /// <summary>An axis over a range, widened to round numbers.</summary>
    public static Scale Linear(double low, double high)
    {
        var step = GetStep(high - low, 5);
        return new Scale(Math.Floor((low / step) + 1e-9) * step, Math.Ceiling((high / step) - 1e-9) * step, isLog: false);
    }

    /// <summary>An axis over exactly this range.</summary>
    public static Scale Exactly(double low, double high) => new(low, high > low ? high : low + 1, isLog: false);

    /// <summary>An axis of ratios from 1, 2 or 5 to 1, 2 or 5 of some power of ten. Values of 0 and less have no place on it.</summary>
    public static Scale Log(IEnumerable<double> values)
    {
        var positive = values.Where(static value => value > 0).DefaultIfEmpty(1).ToList();
        var (low, high) = (RoundDown(positive.Min()), RoundUp(positive.Max()));
        return new Scale(low, high > low ? high : low * 10, isLog: true);
    }

    /// <summary>From 0, or by ratios where the values are so far apart that the least could not be read.</summary>
    /// <param name="values">The values.</param>
    /// <param name="mostRatio">The ratio of the largest to the least from which on it goes by ratios.</param>
    public static Scale Fitting(IReadOnlyCollection<double> values, double mostRatio = 12) =>
        values.Count > 0 && values.Min() > 0 && values.Max() / values.Min() > mostRatio ? Log(values) : FromZero(values);

    /// <summary>The pixel of a value. Of one beyond the axis, that of its end.</summary>
    public double At(double value)
    {
        var share = IsLog ? Math.Log(Math.Max(value, Low) / Low) / Math.Log(High / Low) : (value - Low) / (High - Low);
        return From + (Math.Clamp(share, 0, 1) * (To - From));
    }

    /// <summary>The values that are named on the axis.</summary>
    /// <param name="most">About how many.</param>
    public IReadOnlyList<double> Ticks(int most)
    {
        if (!IsLog)
        {
            var step = GetStep(High - Low, most);
            return [.. Enumerable.Range(0, 100).Select(i => (Math.Ceiling((Low / step) - 1e-9) + i) * step).TakeWhile(value => value <= High + (step * 1e-6))];
        }

        var all = Rounds().SkipWhile(value => value < Low * 0.999).TakeWhile(value => value <= High * 1.001).ToList();
        return all.Count <= most + 2 ? all : [.. all.Where(static value => IsPowerOfTen(value))];
    }

    private static IEnumerable<double> Rounds() =>
        Enumerable.Range(-9, 24).SelectMany(static power => Steps.Take(3).Select(step => step * Math.Pow(10, power)));

    private static bool IsPowerOfTen(double value) => Math.Abs(Math.Log10(value) - Math.Round(Math.Log10(value))) < 1e-9;

    private static double RoundDown(double value) => Rounds().Last(round => round <= value * 1.0001);

    private static double RoundUp(double value) => Rounds().First(round => round >= value * 0.9999);

    private static double GetStep(double span, int most)
    {
        var rough = span / Math.Max(1, most);
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        return power * Steps.First(step => step >= rough / power * 0.9999);
    }
}
