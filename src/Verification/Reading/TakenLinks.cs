namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The owners of one partition whose reader lost its link to another owner's reader, with the lowest checkpoint that each may have found since. Until its
/// processor has read the ownerships, it may look for the checkpoint and attach again without a claim.
/// </summary>
internal sealed class TakenLinks
{
    private readonly Dictionary<string, long> lowest = new(StringComparer.Ordinal);
    private string? attached;

    /// <summary>Records an attach by an owner. Returns the lower one of the position and the lowest that its reader may have found.</summary>
    public long Attach(string reader, long found, long stored)
    {
        if (attached is { } before && before != reader)
        {
            lowest[before] = stored;
        }

        attached = reader;
        return Math.Min(found, lowest.GetValueOrDefault(reader, found));
    }

    /// <summary>Records a stored checkpoint. Its author no longer needs an older one.</summary>
    public void Stored(long position, string? author)
    {
        foreach (var (owner, found) in lowest)
        {
            lowest[owner] = owner == author ? position : Math.Min(found, position);
        }

        if (author is not null && author == attached)
        {
            lowest.Remove(author);
        }
    }

    /// <summary>Records a claim: its owner looks for the checkpoint again.</summary>
    public void Claim(string owner) => lowest.Remove(owner);

    /// <summary>Records that an owner gives the partition up. It has closed its reader.</summary>
    public void GiveUp(string owner)
    {
        lowest.Remove(owner);
        attached = attached == owner ? null : attached;
    }
}
