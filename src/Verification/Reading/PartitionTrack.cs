namespace EventHubThroughput.Verification.Reading;

/// <summary>One partition on the way through the journal: what is last of everything, and which incarnations there were.</summary>
internal sealed class PartitionTrack(string name, int number)
{
    private const long Nowhere = -1;

    // The links of the emulator that runs now, with their incarnation and the last event handed to each.
    private readonly Dictionary<byte[], (int Incarnation, long Sequence)> links = new(Utf8Comparer.Instance);

    private long positionAtDelivery = Nowhere;

    // By owner: the position when it claimed the partition, until its reader was given an event. Whose reader a link is the journal does
    // not tell, and who claimed may come late, when it has lost the partition again.
    private readonly Dictionary<string, long> claims = new(StringComparer.Ordinal);
    private long highest = Nowhere;
    private string? owner;
    private bool hasOwningReaders;

    public string Name { get; } = name;

    public int Number { get; } = number;

    /// <summary>Of all runs; null before the first.</summary>
    public long? LastSequence { get; set; }

    public List<Incarnation> Incarnations { get; } = [];

    /// <summary>The incarnation that was served last.</summary>
    public int Serving { get; private set; } = -1;

    /// <summary>The position stored last; -1 before the first.</summary>
    public long Position { get; private set; } = Nowhere;

    public bool HasPosition { get; private set; }

    /// <summary>Who stored it: client and incarnation.</summary>
    public (string? Client, int Incarnation) Author { get; private set; }

    /// <summary>
    /// An event is handed to a link; returns the incarnation. None for a reader without owner level beside those with one: it has
    /// claimed nothing, and what it does with events is not the consumer's doing.
    /// </summary>
    public int? Deliver(ReadOnlySpan<byte> link, long sequence, long tick, bool owns)
    {
        hasOwningReaders |= owns;
        if (hasOwningReaders && !owns)
        {
            return null;
        }

        var known = links.GetAlternateLookup<ReadOnlySpan<byte>>();
        // Within one reading sequence numbers only rise: a link that goes back is another one of the same name.
        if (!known.TryGetValue(link, out var last) || sequence <= last.Sequence)
        {
            last.Incarnation = Incarnations.Count;
            Incarnations.Add(new Incarnation(tick, Position, Math.Min(LowestClaim(), positionAtDelivery), highest));
            ForgetOneClaim();
        }

        known[link] = (last.Incarnation, sequence);
        positionAtDelivery = Position;
        return Serving = last.Incarnation;
    }

    public void Store(long position, string? client)
    {
        Position = position;
        highest = Math.Max(highest, position);
        HasPosition = true;

        // Who comes next may find a position that was set back meanwhile, even if others have stored a higher one by then.
        positionAtDelivery = Math.Min(positionAtDelivery, position);
        foreach (var claimant in claims.Keys)
        {
            claims[claimant] = Math.Min(claims[claimant], position);
        }

        Author = (client, Serving);
    }

    /// <summary>Somebody wrote that the partition is theirs.</summary>
    public void Claim(string newOwner)
    {
        if (newOwner != owner)
        {
            owner = newOwner;
            if (newOwner.Length > 0)
            {
                claims[newOwner] = Position;
            }
        }
    }

    /// <summary>Links of before are gone, and their names may come again.</summary>
    public void ForgetLinks() => links.Clear();

    private long LowestClaim() => claims.Count == 0 ? long.MaxValue : claims.Values.Min();

    // The owner's, or that of one who has lost the partition since it claimed.
    private void ForgetOneClaim()
    {
        if (!claims.Remove(owner ?? string.Empty) && claims.Count > 0)
        {
            claims.Remove(claims.MinBy(static claim => claim.Value).Key);
        }
    }
}
