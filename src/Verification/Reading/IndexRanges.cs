namespace EventHubThroughput.Verification.Reading;

/// <summary>The indices of a ledger, added in ascending order: a run numbers its events without gaps, so they are one range.</summary>
internal sealed class IndexRanges
{
    private readonly List<long> firsts = [];
    private readonly List<long> lasts = [];

    public void Add(long index)
    {
        if (lasts.Count > 0 && lasts[^1] == index - 1)
        {
            lasts[^1] = index;
            return;
        }

        firsts.Add(index);
        lasts.Add(index);
    }

    public bool Contains(long index)
    {
        var found = firsts.BinarySearch(index);
        return found >= 0 || (~found > 0 && index <= lasts[~found - 1]);
    }
}
