using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>One partition during the reading of the journal: its latest values, and its incarnations.</summary>
internal sealed class PartitionTrack(string name, int number)
{
    private const long Nowhere = -1;

    // The links of the present emulator.
    private readonly Dictionary<byte[], ReaderLink> links = new(Utf8Comparer.Instance);

    // All that ever attached: names repeat after a restart, and a journal of several emulators does not always have their attaches.
    private readonly HashSet<byte[]> attached = new(Utf8Comparer.Instance);
    private readonly OpenClaims claims = new();

    // Events that a laboratory fault is about to deliver again, and how often.
    private readonly Dictionary<long, int> injected = [];
    private long highest = Nowhere;
    private long? firstUnrecorded;
    private ReaderLink? serving;
    private bool hasOwningReaders;

    public string Name { get; } = name;

    public int Number { get; } = number;

    /// <summary>Of all runs. Null before the first.</summary>
    public long? LastSequence { get; set; }

    /// <summary>The last event of the run with a confirmation to its sender, except those that retention removed. -1 without any.</summary>
    public long LastAcknowledged { get; private set; } = Nowhere;

    public List<Incarnation> Incarnations { get; } = [];

    /// <summary>The first event that was delivered to a link without a recorded attach. Null when there was none.</summary>
    public long? FirstUnrecorded => firstUnrecorded;

    /// <summary>The last stored position. -1 before the first.</summary>
    public long Position { get; private set; } = Nowhere;

    public bool HasPosition { get; private set; }

    /// <summary>Its author: client and incarnation.</summary>
    public (string? Client, int Incarnation) Author { get; private set; }

    /// <summary>Adds an event of the run, in the order of sequence numbers.</summary>
    public void Acknowledge(in EventState state)
    {
        if (state is { Acknowledged: true, IsExpired: false })
        {
            LastAcknowledged = state.Sequence;
        }
    }

    /// <summary>Records a new link: its reader has looked for the checkpoint before.</summary>
    public void Attach(ReadOnlySpan<byte> link, long first, string? readerName)
    {
        var reader = claims.GetOwner(readerName);
        var isForeign = claims.IsForeign(readerName);
        attached.Add(link.ToArray());
        links[link.ToArray()] = new ReaderLink(isForeign ? Nowhere : claims.Attach(reader, Position), reader, first, isRecorded: true)
        {
            IsForeign = isForeign,
        };
    }

    /// <summary>Records the delivery of an event to a link. Returns its incarnation, and whether the delivery is consistent.</summary>
    public Handing Deliver(ReadOnlySpan<byte> link, long sequence, long tick, bool owns)
    {
        hasOwningReaders |= owns;
        if (hasOwningReaders && !owns)
        {
            // It has claimed nothing, and its deliveries do not belong to the consumer.
            return Handing.ToOnlooker;
        }

        var reader = GetLink(link, sequence, owns);
        if (sequence <= reader.Last && !TakeInjected(sequence))
        {
            return Handing.Impossible;
        }

        if (reader.Incarnation is null)
        {
            reader.Incarnation = Incarnations.Count;
            Incarnations.Add(new Incarnation(tick, Position, reader.Found, highest) { Owner = reader.Owner });
            if (reader is { Owner: null, IsForeign: false })
            {
                claims.UseOne();
            }
        }

        reader.Last = Math.Max(reader.Last, sequence);
        serving = reader;
        return Handing.To(reader.Incarnation.Value);
    }

    /// <summary>Records that a laboratory fault is about to deliver an event to a reader again.</summary>
    public void Inject(long sequence) => injected[sequence] = injected.GetValueOrDefault(sequence) + 1;

    public void Store(long position, string? client)
    {
        Author = GetAuthor(client);
        Position = position;
        highest = Math.Max(highest, position);
        HasPosition = true;
        claims.Stored(position, Author.Client ?? serving?.Owner);
    }

    /// <summary>The present author of a checkpoint of this client.</summary>
    public (string? Client, int Incarnation) GetAuthor(string? client) => (claims.GetAuthor(client), serving?.Incarnation ?? -1);

    /// <summary>Records a claim of the partition.</summary>
    public void Claim(string owner) => claims.Claim(owner, Position);

    /// <summary>Records a claim in another checkpoint store.</summary>
    public void ClaimElsewhere(string owner) => claims.ClaimElsewhere(owner);

    /// <summary>Earlier links are gone, and their names may be used again.</summary>
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

    private ReaderLink GetLink(ReadOnlySpan<byte> link, long sequence, bool owns)
    {
        var known = links.GetAlternateLookup<ReadOnlySpan<byte>>();
        // Within one reading sequence numbers only rise. Where attaches are not recorded, a link that goes back is another one of the same name.
        if (!known.TryGetValue(link, out var reader) || (!reader.IsRecorded && sequence <= reader.Last))
        {
            firstUnrecorded ??= !owns || attached.GetAlternateLookup<ReadOnlySpan<byte>>().Contains(link) ? null : sequence;
            known[link] = reader = new ReaderLink(claims.Attach(null, Position), null, sequence, isRecorded: false);
        }

        return reader;
    }
}

/// <summary>The meaning of a delivery to a link.</summary>
/// <param name="Incarnation">The incarnation that received it. Null when none did.</param>
/// <param name="Contradicts">Whether the journal contradicts itself: the link had already received the event, or begins after it.</param>
internal readonly record struct Handing(int? Incarnation, bool Contradicts)
{
    public static Handing ToOnlooker { get; }

    public static Handing Impossible { get; } = new(null, Contradicts: true);

    public static Handing To(int incarnation) => new(incarnation, Contradicts: false);
}
