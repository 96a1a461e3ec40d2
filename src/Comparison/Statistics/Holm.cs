namespace EventHubThroughput.Comparison;

/// <summary>The correction of Holm (1979) for several tests together: at most one in twenty families has any p below 0.05 by chance.</summary>
internal static class Holm
{
    /// <summary>The corrected probabilities, in the order of the given ones: never below them, at most 1.</summary>
    public static double[] Adjust(IReadOnlyList<double> probabilities)
    {
        var adjusted = new double[probabilities.Count];
        var largest = 0.0;
        foreach (var (rank, (place, probability)) in probabilities.Index().OrderBy(static one => one.Item).Index())
        {
            largest = Math.Max(largest, Math.Min(1, (probabilities.Count - rank) * probability));
            adjusted[place] = largest;
        }

        return adjusted;
    }
}
