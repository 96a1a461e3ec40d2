using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>The dead letter of one event as it changes, and the sinks that it names.</summary>
/// <param name="copies">The copies of the event's message.</param>
/// <param name="context">Has the totals of the journal.</param>
internal sealed class DeadLetterTrack(MessageCopies copies, JournalContext context)
{
    private long claim;
    private bool wasClaimed;
    private bool isBeside;
    private SinkSet begunFirst;
    private SinkSet begunAgain;
    private SinkSet writtenAgain;
    private ulong? supplement;
    private bool isSupplementFalse;

    private readonly List<Naming> namings = [];

    /// <summary>The sinks that the dead letter names now.</summary>
    public SinkSet Named { get; private set; }

    /// <summary>Whether there is a dead letter now.</summary>
    public bool IsThere { get; private set; }

    /// <summary>
    /// The sinks at which a write began without a cause after they had been named. Either it was the first write there, or another one that was stored while
    /// the dead letter still names the sink.
    /// </summary>
    public SinkSet BegunAfterwards => begunFirst | (writtenAgain & Named);

    public void Clear()
    {
        namings.Clear();
        (claim, wasClaimed, begunFirst, begunAgain, writtenAgain) = (0, false, SinkSet.None, SinkSet.None, SinkSet.None);
        (isBeside, supplement, isSupplementFalse, Named, IsThere) = (false, null, false, SinkSet.None, false);
    }

    /// <summary>
    /// Records that a write of the event begins at a sink. The owner that has given the event up there begins no other write. Only another owner or a redrive
    /// does.
    /// </summary>
    /// <param name="sink">The sink.</param>
    /// <param name="isFirst">
    /// Whether it is the first write there. An owner whose dead letter got no answer may try another write, as long as it is refused.
    /// </param>
    /// <param name="givenUp">The tick of the first dead letter that names it.</param>
    /// <param name="tick">The present tick.</param>
    /// <param name="microseconds">The same as a time.</param>
    public void Begin(SinkSet sink, bool isFirst, long givenUp, long tick, long microseconds)
    {
        if (
            Named.HasFlag(sink)
            && !wasClaimed
            && copies.Deliveries < 2
            && !copies.WasDeliveredBetween(givenUp, tick)
            && !context.Standstills.HasHeld(microseconds)
        )
        {
            begunFirst |= isFirst ? sink : SinkSet.None;
            begunAgain |= isFirst ? SinkSet.None : sink;
        }
    }

    /// <summary>Records that the event was stored at a sink.</summary>
    public void Write(SinkSet sink) => writtenAgain |= wasClaimed ? SinkSet.None : begunAgain & sink;

    /// <summary>Records that the dead letter was stored or changed.</summary>
    public void Store(in Fact letter, in EventState state)
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

        // Sinks that were named before the journal began belong to a run that the journal does not cover.
        var named =
            letter.Tick <= context.FoundUntil ? SinkSet.None
            : isReleased ? Named
            : Named & ~before;
        var redundant = named & state.Written;
        var unexplained = redundant.HasFlag(SinkSet.Archive) && !IsBlobInDoubt(in letter, in state) ? SinkSet.Archive : SinkSet.None;
        namings.Add(new Naming(letter.Tick, letter.Length, named, redundant, unexplained));
    }

    /// <summary>
    /// For each time that the dead letter named sinks: those that had the event or were about to have it, and those without an explanation. Call it after all
    /// facts of the event, because later answers to its messages may explain it.
    /// </summary>
    public IEnumerable<(SinkSet Redundant, SinkSet Unexplained)> RedundantNamings()
    {
        foreach (var naming in namings)
        {
            var isTooEarly = naming.Named.HasFlag(SinkSet.Queue) && copies.WasGivenUpTooEarly(naming.Tick, naming.Microseconds);
            var unexplained = naming.Unexplained | (isTooEarly ? SinkSet.Queue : SinkSet.None);
            yield return (naming.Redundant | unexplained, unexplained);
        }
    }

    public void Remove() => (claim, isBeside, Named, IsThere) = (0, false, SinkSet.None, false);

    public void StoreSupplement(in Fact fact) => (supplement, isSupplementFalse) = (fact.Properties, fact.Is(FactFlags.FalseMetadata));

    public void RemoveSupplement() => supplement = null;

    /// <summary>How the separate properties of the dead letter differ from the event's at the end. Null when they are equal, or not separate.</summary>
    /// <param name="properties">Half of the digest of the event's properties.</param>
    public string? SupplementDifference(ulong properties) =>
        !IsThere || !isBeside || Named == SinkSet.None ? null
        : supplement != properties ? "properties in its second blob"
        : isSupplementFalse ? "hash or length in the metadata of its properties blob"
        : null;

    // Answers of the archive are not recorded. A writer that got an answer does not upload again. Otherwise the answer was lost or the writer waited for it.
    private bool IsBlobInDoubt(in Fact letter, in EventState state) =>
        state.LastBlobBegun > state.BlobStored
        || (copies.Deliveries > 1 && state.BlobsBegun > state.Stores)
        || copies.WasDeliveredBetween(state.BlobBegun, letter.Tick)
        || context.ArchiveCuts.AnyBetween(state.BlobBegun, letter.Tick)
        || context.Standstills.Explains(state.BlobBegunAt, letter.Length, letter.Length)
        || letter.Length - state.BlobBegunAt >= ConnectionTable.AnswerTimeout;

    /// <summary>One time that a dead letter named sinks: the new sinks, those of them that had the event, and the archive if nothing explains it.</summary>
    private readonly record struct Naming(long Tick, long Microseconds, SinkSet Named, SinkSet Redundant, SinkSet Unexplained);
}
