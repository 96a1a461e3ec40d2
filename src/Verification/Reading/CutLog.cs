namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The moments at which requests to one sink may have lost their answers: a fault cut a connection or a link, or the emulator started again.
/// </summary>
internal sealed class CutLog
{
    private readonly List<long> ticks = [];

    /// <summary>Adds a cut, in the order of ticks.</summary>
    public void Add(long tick) => ticks.Add(tick);

    /// <summary>Whether there was a cut after one tick and before another.</summary>
    public bool AnyBetween(long after, long before)
    {
        var at = ticks.BinarySearch(after + 1);
        at = at < 0 ? ~at : at;
        return at < ticks.Count && ticks[at] < before;
    }
}
