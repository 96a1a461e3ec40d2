using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>Computes the state of one event from all its facts, and compares every copy of it with what was sent.</summary>
internal sealed class EventJudge
{
    private readonly IndexRanges ledger;
    private readonly bool ledgerIsWhole;
    private readonly VerificationCounts findings;
    private readonly DeadLetterTrack deadLetter;
    private readonly SinkSet required;
    private readonly int handlers;

    private PartitionTrack partition = null!;
    private Fact appended;
    private Fact expected;
    private bool isCorrupt;
    private int blobsBegunAgain;

    public EventJudge(IndexRanges ledger, bool ledgerIsWhole, JournalContext context)
    {
        (this.ledger, this.ledgerIsWhole, findings) = (ledger, ledgerIsWhole, context.VerificationCounts);
        Copies = new MessageCopies(context);
        deadLetter = new DeadLetterTrack(Copies, context);
        required = context.RequiredSinks;
        handlers = context.RequiredHandlers;
    }

    /// <summary>The copies of the message of the last event.</summary>
    public MessageCopies Copies { get; }

    /// <summary>The state of an event of the run. Null when the facts belong to no event, or to one of another run.</summary>
    public EventState? Judge(PartitionTrack of, ReadOnlySpan<Fact> facts)
    {
        partition = of;
        isCorrupt = false;
        blobsBegunAgain = 0;
        Copies.Clear();
        deadLetter.Clear();
        if (!TryFind(facts, FactKind.Appended, out appended))
        {
            RefuseCopies(facts, before: long.MaxValue);
            return null;
        }

        RefuseCopies(facts, appended.Tick);
        if (!appended.Is(FactFlags.OurStamp))
        {
            RefuseOurStamps(facts);
            return null;
        }

        var state = new EventState
        {
            Sequence = appended.Sequence,
            Appended = appended.Tick,
            Required = required,
            Handlers = handlers,
            Index = appended.Number,
            HasRow = TryFind(facts, FactKind.Expected, out expected),
        };
        if (state.HasRow)
        {
            Expect(ref state);
        }

        foreach (ref readonly var fact in facts)
        {
            // Earlier facts do not belong to this event. Only an emulator that starts may record its expiry first.
            if (fact.Tick > appended.Tick || fact.Kind == FactKind.Expired)
            {
                Follow(in fact, ref state);
            }
        }

        state.WithoutCause = Copies.CountWithoutCause(of);
        // A dead letter of such a run is given up by its handlers, under any names.
        (state.IsDeadLettered, state.Named) = (deadLetter.IsThere, deadLetter.IsThere ? deadLetter.Named | (required & SinkSet.Handlers) : deadLetter.Named);
        if (deadLetter.SupplementDifference(appended.Properties) is { } difference)
        {
            Corrupt($"{Place(FactKind.DeadLettered)} it differs in {difference}");
        }

        foreach (var (redundant, unexplained) in deadLetter.RedundantNamings())
        {
            findings.RedundantDeadLetters += redundant == SinkSet.None ? 0 : 1;
            ChargeRedundant(unexplained, "has the event");
        }

        var afterwards = deadLetter.BegunAfterwards & state.Written;
        findings.RedundantDeadLetters += afterwards == SinkSet.None ? 0 : 1;
        ChargeRedundant(afterwards, "was written afterwards");
        findings.Repeated += Math.Max(0, blobsBegunAgain - Math.Max(0, state.Stores - 1));
        return state;
    }

    private static bool TryFind(ReadOnlySpan<Fact> facts, FactKind kind, out Fact found)
    {
        foreach (ref readonly var fact in facts)
        {
            if (fact.Kind == kind)
            {
                found = fact;
                return true;
            }
        }

        found = default;
        return false;
    }

    private void RefuseCopies(ReadOnlySpan<Fact> facts, long before)
    {
        foreach (ref readonly var fact in facts)
        {
            if (fact.Tick < before && fact.Kind is FactKind.MessageStored or FactKind.BlobStored or FactKind.DeadLettered)
            {
                findings.Unexpected.Add(partition, fact.Sequence, $"{Place(fact.Kind)} a record was not appended before");
            }
        }
    }

    private void RefuseOurStamps(ReadOnlySpan<Fact> facts)
    {
        foreach (ref readonly var fact in facts)
        {
            if (fact.Kind == FactKind.MessageStored && fact.Tick > appended.Tick && fact.Is(FactFlags.OurStamp))
            {
                findings.Unexpected.Add(partition, fact.Sequence, "in the queue an event of another run has a stamp of this run");
            }
        }
    }

    private void Expect(ref EventState state)
    {
        state.Acknowledged = expected.Is(FactFlags.Acknowledged);
        state.SharedRow = expected.Is(FactFlags.SharedRow);
        state.Unknown = expected.Tick > 0;
        state.Key = (ulong)expected.Number;
        if (appended.Body != expected.Body || appended.Length != expected.Length)
        {
            Corrupt("the event hub has different bytes than were sent");
        }
    }

    private void Follow(in Fact fact, ref EventState state)
    {
        switch (fact.Kind)
        {
            case FactKind.Delivered:
                findings.Replayed += state.Begun > 0 ? 1 : 0;
                state.Deliveries++;
                Once(ref state.Delivered, fact.Tick);
                Copies.Deliver(in fact);
                break;
            case FactKind.Expired:
                Once(ref state.Expired, fact.Tick);
                break;
            case FactKind.MessageBegun:
                Once(ref state.MessageBegun, fact.Tick);
                Copies.Begin(in fact);
                deadLetter.Begin(SinkSet.Queue, state.MessageBegun == fact.Tick, state.MessageGivenUp, fact.Tick, fact.Length);
                break;
            case FactKind.MessageStored:
                Queue(in fact, ref state);
                break;
            case FactKind.MessageAnswered:
                Copies.Answer(in fact);
                break;
            case FactKind.MessageInjected:
                Copies.Inject();
                break;
            case FactKind.BlobBegun:
                BeginBlob(in fact, ref state);
                break;
            case FactKind.BlobStored:
                Archive(in fact, ref state);
                break;
            case FactKind.BlobRemoved:
                state.IsArchived = false;
                break;
            case FactKind.HandlerAcknowledged:
                Acknowledge(in fact, ref state);
                break;
            case FactKind.DeadLettered when fact.Is(FactFlags.HasReason):
                DeadLetter(in fact, ref state);
                break;
            case FactKind.DeadLetterKey when state.HasRow && (ulong)fact.Number != state.Key:
                Compare("partition key", fact.Kind);
                break;
            case FactKind.DeadLetterRemoved:
                deadLetter.Remove();
                break;
            case FactKind.SupplementStored:
                deadLetter.StoreSupplement(in fact);
                break;
            case FactKind.SupplementRemoved:
                deadLetter.RemoveSupplement();
                break;
            default:
                break;
        }
    }

    private void Queue(in Fact fact, ref EventState state)
    {
        var hasStamp = fact.Is(FactFlags.OurStamp) || fact.Is(FactFlags.OtherStamp);
        var sameStamp = !hasStamp || (fact.Is(FactFlags.OurStamp) && fact.Number == state.Index);
        var isRow = sameStamp ? state.HasRow : fact.Is(FactFlags.OurStamp) && ledger.Contains(fact.Number);
        if (!isRow && (ledgerIsWhole || state.HasRow))
        {
            findings.Unexpected.Add(partition, state.Sequence, "a message whose stamp is not in the ledger");
        }

        if (!isRow && state.HasRow)
        {
            // It has the event's name, but it is not a copy of the event.
            return;
        }

        // The beginning is recorded before anything is stored. A copy without one has no origin, except those of a fault.
        ChargeUnbegun(state.Accepts + state.Deduplicated - Copies.Injected >= Copies.Begun, fact.Kind);
        Copies.Store(in fact, fact.Is(FactFlags.Deduplicated));
        if (fact.Is(FactFlags.Deduplicated))
        {
            state.Deduplicated++;
            return;
        }

        deadLetter.Write(SinkSet.Queue);
        state.Accepts++;
        Once(ref state.MessageStored, fact.Tick);
        Compare(
            sameStamp
                ? Difference(in fact)
                    ?? (fact.ContentType != appended.ContentType ? "content type" : null)
                    ?? (fact.Properties != appended.Properties ? "properties" : null)
                : "stamp",
            fact.Kind
        );
    }

    private void BeginBlob(in Fact fact, ref EventState state)
    {
        state.BlobsBegun++;
        state.LastBlobBegun = fact.Tick;
        if (state.BlobBegun == 0)
        {
            (state.BlobBegun, state.BlobBegunAt) = (fact.Tick, fact.Number);
        }

        deadLetter.Begin(SinkSet.Archive, state.BlobBegun == fact.Tick, state.BlobGivenUp, fact.Tick, fact.Number);
        blobsBegunAgain += state.Stores > 0 && (fact.Body.IsNone || Difference(in fact) is null) ? 1 : 0;
    }

    private void Archive(in Fact fact, ref EventState state)
    {
        if (!state.HasRow && ledgerIsWhole)
        {
            findings.Unexpected.Add(partition, state.Sequence, "a blob whose stamp is not in the ledger");
        }

        if (state.Stores > 0 || fact.Is(FactFlags.Overwrote))
        {
            findings.DuplicateBlob.Add(partition, state.Sequence, "its blob was stored again");
        }

        ChargeUnbegun(state.Stores >= state.BlobsBegun, fact.Kind);
        deadLetter.Write(SinkSet.Archive);
        state.Stores++;
        state.IsArchived = true;
        Once(ref state.BlobStored, fact.Tick);
        Compare(
            Difference(in fact)
                ?? (BlobType.IsThatOf(fact.ContentType, appended.ContentType) ? null : "content type")
                ?? (fact.Properties != appended.Properties ? "properties" : null)
                ?? MetadataDifference(in fact),
            fact.Kind
        );
    }

    private void ChargeUnbegun(bool isUnbegun, FactKind copy)
    {
        if (isUnbegun && findings.BeginningsRecorded)
        {
            findings.Accounting.Add(partition, appended.Sequence, $"{Place(copy)} it was stored, without a record of its arrival");
        }
    }

    private static string? MetadataDifference(in Fact blob) =>
        blob.Is(FactFlags.FalseMetadata) ? "hash or length in its metadata"
        : blob.Is(FactFlags.FalseFields) ? "partition, sequence number, offset or time in its metadata"
        : blob.Is(FactFlags.FalseClaim) ? "limit of its claim"
        : blob.Is(FactFlags.OtherBodyKind) ? "kind of body"
        : null;

    // Repeats after the first acknowledgement of a handler prove nothing new.
    private static void Acknowledge(in Fact fact, ref EventState state)
    {
        var place = 1 << (int)fact.Length;
        if ((state.HandlersAcknowledged & place) == 0)
        {
            state.HandlersAcknowledged |= place;
            state.LastHandlerLine = Math.Max(state.LastHandlerLine, fact.Number);
        }
    }

    private void DeadLetter(in Fact fact, ref EventState state)
    {
        Once(ref state.DeadLettered, fact.Tick);
        if (fact.Named.HasFlag(SinkSet.Queue))
        {
            Once(ref state.MessageGivenUp, fact.Tick);
        }

        if (fact.Named.HasFlag(SinkSet.Archive))
        {
            Once(ref state.BlobGivenUp, fact.Tick);
        }

        if (!state.HasRow && ledgerIsWhole)
        {
            findings.Unexpected.Add(partition, state.Sequence, "a dead letter whose stamp is not in the ledger");
        }

        deadLetter.Store(in fact, in state);
        Compare(
            (state.HasRow && fact.Body != expected.Body ? "bytes" : null)
                ?? (fact.ContentType != appended.ContentType ? "content type" : null)
                ?? (fact.Properties != appended.Properties && !fact.Is(FactFlags.PropertiesBeside) ? "properties" : null)
                ?? MetadataDifference(in fact),
            fact.Kind
        );
    }

    private void ChargeRedundant(SinkSet sinks, string finding)
    {
        if (sinks != SinkSet.None)
        {
            var sink = sinks.HasFlag(SinkSet.Queue) ? "queue" : "archive";
            findings.ExcessDeadLetters.Add(partition, appended.Sequence, $"its dead letter names the {sink}, which {finding}, without an explanation");
        }
    }

    /// <summary>How a copy's body differs from the row's, or null.</summary>
    private string? Difference(in Fact copy) =>
        expected.Kind != FactKind.Expected ? null
        : copy.Body.IsNone || copy.Body != expected.Body ? "bytes"
        : copy.Length != expected.Length || (copy.Body == Digest.OfNothing && copy.Length != 0) ? "length"
        : null;

    private void Compare(string? difference, FactKind copy)
    {
        if (difference is not null)
        {
            Corrupt($"{Place(copy)} it differs in {difference}");
        }
    }

    private void Corrupt(string finding)
    {
        // An event counts as corrupt once, for any number of its copies.
        if (!isCorrupt)
        {
            isCorrupt = true;
            findings.Corrupt.Add(partition, appended.Sequence, finding);
        }
    }

    private static string Place(FactKind copy) =>
        copy switch
        {
            FactKind.MessageStored => "in the queue",
            FactKind.BlobStored => "in the container",
            _ => "among the dead letters",
        };

    private static void Once(ref long moment, long tick)
    {
        if (moment == 0)
        {
            moment = tick;
        }
    }
}

/// <summary>A blob always has a content type. The service sets a default for a blob that was sent without one.</summary>
internal static class BlobType
{
    private static readonly ulong OfNone = TextHash.Of("application/octet-stream"u8);

    public static bool IsThatOf(ulong blob, ulong sent) => blob == sent || (sent == 0 && blob == OfNone);
}
