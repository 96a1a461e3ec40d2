namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The owners that have claimed one partition and have not attached yet, with the lowest checkpoint that each may have found. A reader looks for the
/// checkpoint after its claim, and others may store higher ones before it attaches.
/// </summary>
internal sealed class OpenClaims
{
    private readonly HashSet<string> owners = new(StringComparer.Ordinal);
    private readonly HashSet<string> foreign = new(StringComparer.Ordinal);
    private readonly Dictionary<string, OpenClaim> open = new(StringComparer.Ordinal);
    private readonly TakenLinks taken = new();
    private string? owner;

    /// <summary>Records a claim of the partition. A renewal is not a new claim. An empty name gives it up.</summary>
    public void Claim(string newOwner, long position)
    {
        if (newOwner == owner)
        {
            return;
        }

        if (newOwner.Length > 0)
        {
            owners.Add(newOwner);
            taken.Claim(newOwner);
            // A reader that has not attached by now may still use the checkpoint that it found at the claim before.
            open[newOwner] =
                open.TryGetValue(newOwner, out var before) && !before.HasAttached
                    ? new OpenClaim(Math.Min(before.Lowest, position), HasAttached: false)
                    : new OpenClaim(position, HasAttached: false);
        }
        else if (owner is not null)
        {
            // An owner that gives a partition up has closed its reader, or never had one.
            open.Remove(owner);
            taken.GiveUp(owner);
        }

        owner = newOwner;
    }

    /// <summary>Records a claim of the partition in another checkpoint store.</summary>
    public void ClaimElsewhere(string stranger)
    {
        if (stranger.Length > 0)
        {
            foreign.Add(stranger);
        }
    }

    /// <summary>
    /// The author of a checkpoint: the client that it names, if that has claimed the partition. A consumer that claims nothing and uses another name each
    /// time still counts as one.
    /// </summary>
    public string? GetAuthor(string? client) => client is not null && owners.Contains(client) ? client : null;

    /// <summary>Records a stored checkpoint: an owner with a claim may find it, and its author no longer needs an older one.</summary>
    public void Stored(long position, string? author)
    {
        foreach (var (claimant, claim) in open)
        {
            open[claimant] = claim with { Lowest = Math.Min(claim.Lowest, position) };
        }

        taken.Stored(position, author);

        // Before that, the checkpoint belongs to a reader that its author had before the claim.
        if (author is not null && open.TryGetValue(author, out var own) && own.HasAttached)
        {
            open.Remove(author);
        }
    }

    /// <summary>The owner in a reader's name, as official processors create it: the owner's name, or one that ends with it.</summary>
    public string? GetOwner(string? readerName) => NamedBy(readerName, owners);

    /// <summary>Whether a reader's name belongs to an owner that has claimed the partition only in another store.</summary>
    public bool IsForeign(string? readerName) => NamedBy(readerName, owners) is null && NamedBy(readerName, foreign) is not null;

    /// <summary>Records an attach. Returns the lowest position that the reader may have found: without a claim, the one stored now.</summary>
    public long Attach(string? reader, long stored)
    {
        if (reader is null)
        {
            return open.Count > 0 ? open.Values.Min(static claim => claim.Lowest) : stored;
        }

        var found = stored;
        if (open.TryGetValue(reader, out var claim))
        {
            open[reader] = claim with { HasAttached = true };
            found = claim.Lowest;
        }

        return taken.Attach(reader, found, stored);
    }

    /// <summary>
    /// A reader without a known name received its first event, which uses up its claim. The claim is the owner's, or that of a processor that has lost the
    /// partition since.
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
