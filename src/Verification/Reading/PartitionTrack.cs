namespace EventHubThroughput.Verification.Reading;

/// <summary>One partition on the way through the journal: what is last of everything, and which incarnations there were.</summary>
internal sealed class PartitionTrack(string name, int number)
{
    private const long Nowhere = -1;

    // The links of the emulator that runs now, with their incarnation and the last event handed to each.
    private readonly Dictionary<byte[], (int Incarnation, long Sequence)> links = new(Utf8Comparer.Instance);

    private long positionAtDelivery = Nowhere;
    private long? positionAtClaim;
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
            Incarnations.Add(new Incarnation(tick, Position, Lower(positionAtClaim, positionAtDelivery), highest));
            positionAtClaim = null;
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
        positionAtClaim = positionAtClaim is { } claimed ? Math.Min(claimed, position) : null;
        Author = (client, Serving);
    }

    /// <summary>Somebody wrote that the partition is theirs.</summary>
    public void Claim(string newOwner)
    {
        if (newOwner != owner)
        {
            owner = newOwner;
            positionAtClaim = Lower(positionAtClaim, Position);
        }
    }

    /// <summary>Links of before are gone, and their names may come again.</summary>
    public void ForgetLinks() => links.Clear();

    private static long Lower(long? first, long second) => Math.Min(first ?? second, second);
}
