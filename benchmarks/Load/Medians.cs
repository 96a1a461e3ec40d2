namespace EventHubThroughput.Load;

/// <summary>The median of figures, which a busy machine scatters.</summary>
internal static class Medians
{
    /// <param name="figures">At least one.</param>
    public static double Median(this IEnumerable<double> figures)
    {
        var sorted = figures.Order().ToList();
        return (sorted[(sorted.Count - 1) / 2] + sorted[sorted.Count / 2]) / 2;
    }
}
