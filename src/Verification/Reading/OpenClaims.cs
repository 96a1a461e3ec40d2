namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// Who has claimed one partition and not yet shown that it reads it, and the lowest checkpoint that each may have found: a reader looks
/// for the checkpoint after its claim, and others may store higher ones before it attaches.
/// </summary>
internal sealed class OpenClaims
{
    private readonly HashSet<string> owners = new(StringComparer.Ordinal);
    private readonly HashSet<string> strangers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, OpenClaim> open = new(StringComparer.Ordinal);
    private string? owner;

    /// <summary>Somebody wrote that the partition is theirs. Renewing that is no new claim. An empty name gives it up.</summary>
    public void Claim(string newOwner, long position)
    {
        if (newOwner == owner)
        {
            return;
        }

        if (newOwner.Length > 0)
        {
            owners.Add(newOwner);
            // A reader that has not attached by now may still come with what it found at the claim before.
            open[newOwner] =
                open.TryGetValue(newOwner, out var before) && !before.HasAttached
                    ? new OpenClaim(Math.Min(before.Lowest, position), HasAttached: false)
                    : new OpenClaim(position, HasAttached: false);
        }
        else if (owner is not null)
        {
            // Who gives a partition up has closed its reader, or never had one.
            open.Remove(owner);
        }

        owner = newOwner;
    }

    /// <summary>Somebody claims the partition in another checkpoint store.</summary>
    public void ClaimElsewhere(string stranger)
    {
        if (stranger.Length > 0)
        {
            strangers.Add(stranger);
        }
    }

    /// <summary>
    /// Who stored a checkpoint: the client that it names, if that has claimed the partition. A consumer that claims nothing and signs with another name
    /// each time is still one.
    /// </summary>
    public string? AuthorOf(string? client) => client is not null && owners.Contains(client) ? client : null;

    /// <summary>A checkpoint was stored: whoever has claimed may find it, and its author no longer needs an older one.</summary>
    public void Stored(long position, string? author)
    {
        foreach (var (claimant, claim) in open)
        {
            open[claimant] = claim with { Lowest = Math.Min(claim.Lowest, position) };
        }

        // Before that it is the checkpoint of a reader that its author had before the claim.
        if (author is not null && open.TryGetValue(author, out var own) && own.HasAttached)
        {
            open.Remove(author);
        }
    }

    /// <summary>The owner that a reader's name stands for, as official processors make it: the owner's, or one that ends with it.</summary>
    public string? OwnerOf(string? readerName) => NamedBy(readerName, owners);

    /// <summary>Whether a reader's name stands for somebody who has claimed the partition in another store only.</summary>
    public bool IsStranger(string? readerName) => NamedBy(readerName, owners) is null && NamedBy(readerName, strangers) is not null;

    /// <summary>A reader attaches. Gives the lowest position that it may have found: without a claim of its own the one stored now.</summary>
    public long Attach(string? reader, long stored)
    {
        if (reader is null)
        {
            return open.Count > 0 ? open.Values.Min(static claim => claim.Lowest) : stored;
        }

        if (!open.TryGetValue(reader, out var claim))
        {
            return stored;
        }

        open[reader] = claim with { HasAttached = true };
        return claim.Lowest;
    }

    /// <summary>
    /// A reader that nobody knows by name was given its first event: the claim that it came by is used up. It is the owner's, or that of
    /// one who has lost the partition since it claimed.
    /// </summary>
    public void UseOne()
    {
        if (!open.Remove(owner ?? string.Empty) && open.Count > 0)
        {
            open.Remove(open.MinBy(static claim => claim.Value.Lowest).Key);
        }
    }

    private static string? NamedBy(string? readerName, HashSet<string> names) =>
        readerName is null ? null
        : names.Contains(readerName) ? readerName
        : names.FirstOrDefault(known => readerName.EndsWith($"-{known}", StringComparison.Ordinal));

    /// <summary>A claim, the lowest checkpoint since, and whether a reader of its owner has attached since.</summary>
    private readonly record struct OpenClaim(long Lowest, bool HasAttached);
}
