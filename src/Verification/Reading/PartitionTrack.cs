using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>One partition on the way through the journal: what is last of everything, and which incarnations there were.</summary>
internal sealed class PartitionTrack(string name, int number)
{
    private const long Nowhere = -1;

    // The links of the emulator that runs now.
    private readonly Dictionary<byte[], ReaderLink> links = new(Utf8Comparer.Instance);

    // All that ever attached: names come again after a restart, and what a journal of several emulators tells of them is not always an attach.
    private readonly HashSet<byte[]> attached = new(Utf8Comparer.Instance);
    private readonly OpenClaims claims = new();

    // Events that a fault of the laboratory is about to hand out once more, and how often.
    private readonly Dictionary<long, int> injected = [];
    private long highest = Nowhere;
    private long? untold;
    private ReaderLink? serving;
    private bool hasOwningReaders;

    public string Name { get; } = name;

    public int Number { get; } = number;

    /// <summary>Of all runs. Null before the first.</summary>
    public long? LastSequence { get; set; }

    /// <summary>The last event of the run that its sender knows to be stored, those that retention took aside; -1 without any.</summary>
    public long LastAcknowledged { get; private set; } = Nowhere;

    public List<Incarnation> Incarnations { get; } = [];

    /// <summary>The first event that was handed to a link of which no attach had been told. Null when there was none.</summary>
    public long? Untold => untold;

    /// <summary>The position stored last; -1 before the first.</summary>
    public long Position { get; private set; } = Nowhere;

    public bool HasPosition { get; private set; }

    /// <summary>Who stored it: client and incarnation.</summary>
    public (string? Client, int Incarnation) Author { get; private set; }

    /// <summary>An event of the run, in the order of sequence numbers.</summary>
    public void Acknowledge(in EventState state)
    {
        if (state is { Acknowledged: true, IsExpired: false })
        {
            LastAcknowledged = state.Sequence;
        }
    }

    /// <summary>A link was opened: its reader has looked for the checkpoint before.</summary>
    public void Attach(ReadOnlySpan<byte> link, long first, string? readerName)
    {
        var reader = claims.OwnerOf(readerName);
        var isStranger = claims.IsStranger(readerName);
        attached.Add(link.ToArray());
        links[link.ToArray()] = new ReaderLink(isStranger ? Nowhere : claims.Attach(reader, Position), reader, first, isTold: true) { IsStranger = isStranger };
    }

    /// <summary>An event is handed to a link. Tells which incarnation that is, and whether it can be.</summary>
    public Handing Deliver(ReadOnlySpan<byte> link, long sequence, long tick, bool owns)
    {
        hasOwningReaders |= owns;
        if (hasOwningReaders && !owns)
        {
            // It has claimed nothing, and what it does with events is not the consumer's doing.
            return Handing.ToOnlooker;
        }

        var reader = LinkOf(link, sequence, owns);
        if (sequence <= reader.Last && !TakeInjected(sequence))
        {
            return Handing.Impossible;
        }

        if (reader.Incarnation is null)
        {
            reader.Incarnation = Incarnations.Count;
            Incarnations.Add(new Incarnation(tick, Position, reader.Found, highest) { Owner = reader.Owner });
            if (reader is { Owner: null, IsStranger: false })
            {
                claims.UseOne();
            }
        }

        reader.Last = Math.Max(reader.Last, sequence);
        serving = reader;
        return Handing.To(reader.Incarnation.Value);
    }

    /// <summary>A fault of the laboratory is about to hand an event to a reader once more.</summary>
    public void Inject(long sequence) => injected[sequence] = injected.GetValueOrDefault(sequence) + 1;

    public void Store(long position, string? client)
    {
        Author = AuthorOf(client);
        Position = position;
        highest = Math.Max(highest, position);
        HasPosition = true;
        claims.Stored(position, Author.Client ?? serving?.Owner);
    }

    /// <summary>Whose checkpoint one of this client is, now.</summary>
    public (string? Client, int Incarnation) AuthorOf(string? client) => (claims.AuthorOf(client), serving?.Incarnation ?? -1);

    /// <summary>Somebody wrote that the partition is theirs.</summary>
    public void Claim(string owner) => claims.Claim(owner, Position);

    /// <summary>Somebody wrote so in another checkpoint store.</summary>
    public void ClaimElsewhere(string owner) => claims.ClaimElsewhere(owner);

    /// <summary>Links of before are gone, and their names may come again.</summary>
    public void ForgetLinks() => links.Clear();

    private bool TakeInjected(long sequence)
    {
        if (!injected.Remove(sequence, out var times))
        {
            return false;
        }

        if (times > 1)
        {
            injected[sequence] = times - 1;
        }

        return true;
    }

    private ReaderLink LinkOf(ReadOnlySpan<byte> link, long sequence, bool owns)
    {
        var known = links.GetAlternateLookup<ReadOnlySpan<byte>>();
        // Within one reading sequence numbers only rise: where attaches are not told, a link that goes back is another one of the same name.
        if (!known.TryGetValue(link, out var reader) || (!reader.IsTold && sequence <= reader.Last))
        {
            untold ??= !owns || attached.GetAlternateLookup<ReadOnlySpan<byte>>().Contains(link) ? null : sequence;
            known[link] = reader = new ReaderLink(claims.Attach(null, Position), null, sequence, isTold: false);
        }

        return reader;
    }
}

/// <summary>What it means that an event was handed to a link.</summary>
/// <param name="Incarnation">The incarnation that was given it. Null when none was.</param>
/// <param name="Contradicts">Whether the journal contradicts itself: the link had been given the event, or begins behind it.</param>
internal readonly record struct Handing(int? Incarnation, bool Contradicts)
{
    public static Handing ToOnlooker { get; }

    public static Handing Impossible { get; } = new(null, Contradicts: true);

    public static Handing To(int incarnation) => new(incarnation, Contradicts: false);
}
