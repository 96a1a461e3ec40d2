namespace EventHubThroughput.Comparison;

/// <summary>One round of a comparison: every strategy once, baseline first and last (<see cref="BlockOrder"/>).</summary>
/// <param name="Cells">In the order in which they ran.</param>
internal sealed record Block(IReadOnlyList<CellResult> Cells)
{
    /// <summary>
    /// The rate of a label in events per second. For a label that ran twice, as baseline does, the mean of both. Null if a run of it is missing from the
    /// block or is not ok, because such a run is never averaged.
    /// </summary>
    public double? GetRate(string label)
    {
        CellResult[] cells = [.. Cells.Where(cell => cell.Strategy == label)];
        return cells.Length > 0 && cells.All(static cell => cell.Status == CellStatus.Ok) ? cells.Average(static cell => cell.Rate) : null;
    }

    /// <summary>The rates of a label's runs, none if <see cref="GetRate"/> is null.</summary>
    public IEnumerable<double> GetRuns(string label) =>
        GetRate(label) is null ? [] : Cells.Where(cell => cell.Strategy == label).Select(static cell => cell.Rate);

    /// <summary>
    /// Whether nothing is wrong with the runs of a label, except that events arrived faster than it completed them in one of them at least.
    /// </summary>
    public bool FallsBehind(string label)
    {
        CellResult[] cells = [.. Cells.Where(cell => cell.Strategy == label)];
        return cells.Any(static cell => cell.Status == CellStatus.FallsBehind)
            && cells.All(static cell => cell.Status is CellStatus.Ok or CellStatus.FallsBehind);
    }

    /// <summary>The drift of the machine in the meantime: last / first - 1 of the two runs of baseline. Null if either is missing or not ok.</summary>
    public double? GetDrift(string baseline) => GetRuns(baseline).ToArray() is [var first, .., var last] ? (last - first) / first : null;
}
