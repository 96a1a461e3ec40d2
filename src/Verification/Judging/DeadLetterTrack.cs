using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>The dead letter of one event as it changes, and the sinks that it names.</summary>
/// <param name="copies">The copies of the event's message.</param>
/// <param name="context">What the journal tells as a whole.</param>
internal sealed class DeadLetterTrack(MessageCopies copies, JournalContext context)
{
    private long claim;
    private bool wasClaimed;
    private bool isBeside;
    private ulong? supplement;
    private bool isSupplementFalse;

    /// <summary>The sinks that the dead letter names at this moment.</summary>
    public SinkSet Named { get; private set; }

    /// <summary>Whether there is a dead letter at this moment.</summary>
    public bool IsThere { get; private set; }

    /// <summary>The sinks that had been named when a write of the event began there, although nothing had happened that explains it.</summary>
    public SinkSet BegunAfterwards { get; private set; }

    public void Clear()
    {
        (claim, wasClaimed, BegunAfterwards) = (0, false, SinkSet.None);
        (isBeside, supplement, isSupplementFalse, Named, IsThere) = (false, null, false, SinkSet.None, false);
    }

    /// <summary>The first write of the event begins at a sink. Who has given it up there has begun it before: this is another owner's doing, or a redrive's.</summary>
    /// <param name="sink">The sink.</param>
    /// <param name="givenUp">The tick of the first dead letter that names it.</param>
    /// <param name="tick">Now.</param>
    public void Begin(SinkSet sink, long givenUp, long tick)
    {
        if (Named.HasFlag(sink) && !wasClaimed && copies.Deliveries < 2 && !copies.WasDeliveredBetween(givenUp, tick))
        {
            BegunAfterwards |= sink;
        }
    }

    /// <summary>The dead letter was stored or changed; gives the sinks that it names although they have the event, and those of them where nothing explains that.</summary>
    public (SinkSet Redundant, SinkSet Unexplained) Store(in Fact letter, in EventState state)
    {
        var before = Named;
        var isReleased = claim != 0 && letter.Number == 0;
        Named = letter.Named;
        if (letter.Number != 0 && letter.Number != claim && Named.HasFlag(SinkSet.Queue))
        {
            copies.Claim(letter.Tick);
        }

        wasClaimed |= letter.Number != 0;
        (claim, isBeside, IsThere) = (letter.Number, letter.Is(FactFlags.PropertiesBeside), true);

        // What was found when the journal began was named by a run that it does not tell of.
        var said =
            letter.Tick <= context.FoundUntil ? SinkSet.None
            : isReleased ? Named
            : Named & ~before;
        var redundant = said & state.Written;
        return (redundant, redundant == SinkSet.None ? SinkSet.None : Unexplained(redundant, in letter, in state));
    }

    public void Remove() => (claim, isBeside, Named, IsThere) = (0, false, SinkSet.None, false);

    public void StoreSupplement(in Fact fact) => (supplement, isSupplementFalse) = (fact.Properties, fact.Is(FactFlags.FalseMetadata));

    public void RemoveSupplement() => supplement = null;

    /// <summary>How the properties beside the dead letter differ from the event's at the end; null when they do not, or when it has none beside it.</summary>
    /// <param name="properties">Half of the digest of the event's properties.</param>
    public string? SupplementDifference(ulong properties) =>
        !IsThere || !isBeside || Named == SinkSet.None ? null
        : supplement != properties ? "properties beside it"
        : isSupplementFalse ? "hash or length in the metadata of the properties beside it"
        : null;

    private SinkSet Unexplained(SinkSet redundant, in Fact letter, in EventState state)
    {
        var explained =
            (copies.IsInDoubt(letter.Tick, letter.Length) ? SinkSet.Queue : SinkSet.None)
            | (IsBlobInDoubt(in letter, in state) ? SinkSet.Archive : SinkSet.None);
        return redundant & ~explained;
    }

    // Answers of the archive are not told. Who was answered does not upload again; who was not has lost the answer or waited for it.
    private bool IsBlobInDoubt(in Fact letter, in EventState state) =>
        state.LastBlobBegun > state.BlobStored
        || copies.WasDeliveredBetween(state.BlobBegun, letter.Tick)
        || context.ArchiveCuts.AnyBetween(state.BlobBegun, letter.Tick)
        || letter.Length - state.BlobBegunAt >= ConnectionTable.Patience;
}
