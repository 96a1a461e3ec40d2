namespace EventHubThroughput.Lab.Comparing.Sweeping;

/// <summary>
/// Decides which cells of a sweep need not be measured in full. A cell with less than half the best rate of its series is neither the fastest nor the degree to
/// use. A part of the time shows its place on the curve.
/// </summary>
internal static class EarlyStopping
{
    private const double Share = 0.5;

    /// <summary>The rate below which a point is hopeless. Null where there is no such rate yet.</summary>
    /// <param name="sweep">The grid. Empty for a comparison, in which everything is measured in full.</param>
    /// <param name="label">The point.</param>
    /// <param name="measured">The rates that were measured so far, by the labels of their points.</param>
    public static double? Below(IReadOnlyList<SweepPoint> sweep, string label, IEnumerable<(string Label, double? EventsPerSecond)> measured)
    {
        var series = sweep.FirstOrDefault(point => point.Label == label)?.Series;
        var own = sweep.Where(point => point.Series == series).Select(static point => point.Label).ToHashSet(StringComparer.Ordinal);
        return Share * measured.Where(one => own.Contains(one.Label)).Max(static one => one.EventsPerSecond);
    }
}
