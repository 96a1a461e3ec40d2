using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Why a mutant that passes is as good as the run that it was made of.</summary>
/// <param name="Name">The rule in a few words.</param>
/// <param name="Reason">Why no promise is broken.</param>
/// <param name="MostShare">The share of the mutants of any one kind that it may excuse, in percent.</param>
/// <param name="Excuses">Whether it holds for a survivor.</param>
internal sealed record EquivalenceRule(string Name, string Reason, int MostShare, Func<Survivor, bool> Excuses)
{
    /// <summary>Whether only runs of real strategies have what it is about: redrives.</summary>
    public bool IsOfRedrives { get; init; }

    /// <summary>The first that holds counts.</summary>
    public static IReadOnlyList<EquivalenceRule> All { get; } =
    [
        new(
            "nothing promised is missing",
            "the part that was cut off has no delivery, write or checkpoint",
            10,
            survivor => survivor.Mutant.Kind == MutantKind.Truncation && survivor.Changed is not null && survivor.HasSameDeeds
        ),
        new(
            "concerns no promise",
            "the record is about a message leaving the queue, a checkpoint's beginning or answer, a blob's answer or a dead letter's beginning. No promise is about these, and all deeds are the same",
            45,
            survivor => IsSilent(survivor.Changed) && survivor.HasSameDeeds
        ),
        new(
            "another hub, group or run",
            "it is of another hub, consumer group or run: all deeds of this one are the same",
            20,
            survivor => IsOthers(survivor) && survivor.HasSameDeedsOfRun && IsNothingNew(survivor)
        ),
        new(
            "an excuse that was not needed",
            "claims, attaches, faults, starts of the emulator and answers to messages only widen or narrow what a run is excused for. All deeds are the same, and were good",
            30,
            survivor => IsExcuse(survivor.Changed) && survivor.HasSameDeeds && IsNotNeeded(survivor)
        ),
        new(
            "no promise on this order",
            "the deeds are the same, and any two whose order a promise covers are in the same order",
            75,
            survivor =>
                IsMove(survivor)
                && Commuting.IsSame(survivor)
                && IsNothingNew(survivor)
                && NaiveChecks.FaultsExplain(survivor.Run)
                && NaiveChecks.AttachesHold(survivor.Run)
                && CopyCauses.Hold(survivor.Run)
        ),
        new(
            "true checkpoints",
            "the position may be stored at any complete event, more often or more seldom. All other deeds and the last checkpoints are the same. Every checkpoint has only complete events below it, each owner's rise, and no reader begins below one",
            60,
            survivor =>
                survivor.IsSameWithout(static deed => deed.Kind == DeedKind.Checkpoint)
                && survivor.Changed is CheckpointWritten
                && NaiveChecks.CheckpointsHold(survivor)
        ),
        new(
            "an attempt more or fewer",
            "a writer may ask again. Of requests that stored nothing only the first counts. All else is the same, everything stored had begun and everything begun was delivered",
            30,
            survivor =>
                survivor.Changed is MessageWritten { Moment: WriteMoment.Begun } or BlobWritten { Moment: WriteMoment.Begun }
                && IsInOrder(survivor)
                && CopyCauses.Hold(survivor.Run)
                && NaiveChecks.WithoutFurtherAttempts(survivor.Before).SequenceEqual(NaiveChecks.WithoutFurtherAttempts(survivor.After))
                && NaiveChecks.BeginningsHold(survivor.Run, survivor.After)
        ),
        new(
            "writes in any order",
            "no order was promised. Each write begins after its event was delivered, and ends before every checkpoint that passes it. A reader that received it afterwards began above the checkpoint",
            10,
            IsWriteAnywhere
        ),
        new(
            "pushed twice by a fault",
            "a fault pushes an event twice, the second time wherever it likes: all else is the same, and each event was there before its first write",
            10,
            survivor =>
                survivor.Changed is EventDelivered
                && IsMove(survivor)
                && NaiveChecks.AttachesHold(survivor.Run)
                && NaiveChecks.DoubledBy(survivor.Run) is var doubled
                && survivor.IsSameWithout(deed => deed.Kind == DeedKind.Delivered && doubled.Contains((deed.Partition, deed.Sequence)))
                && NaiveChecks.BeginningsHold(survivor.Run, survivor.After)
        ),
        new(
            "handed over in another order",
            "each reader's events rise from where it began. Each event was there before its first write, and each copy has its cause. No reader received again what the checkpoint that it found covers",
            10,
            IsPushedInAnotherOrder
        ),
        new(
            "handed over twice above the checkpoint",
            "where attaches are not recorded it is another reader on a link of the same name, and no checkpoint covers the event: it may be repeated",
            10,
            IsDeliveredTwiceAtOnce
        ),
        new(
            "a claim that was not used",
            "a reader without a name may have come by the claim of an owner that neither gave it up nor stored a checkpoint since: it repeats nothing below that claim",
            10,
            IsByOpenClaim
        ),
        new(
            "attaches that are not recorded",
            "the journal reads as an older one, without attaches: each reader is recognised by what it received, and all deeds are the same",
            10,
            survivor =>
                survivor.Changed is ReaderAttached
                && survivor.HasSameDeeds
                && !survivor.Run.Journal.Exists(record => record is ReaderAttached { Hub: GoodRun.Hub, Group: GoodRun.Group })
        ),
        new(
            "another delivery is there",
            "the event was handed over more often than what was written needs, and once before its first write all the same",
            30,
            IsOneDeliveryLess
        ),
        new(
            "read by one that claims nothing",
            "as long as the partition is not claimed every reader counts: all deeds are the same",
            10,
            survivor => survivor.Changed is EventDelivered && survivor.Mutant.Kind == MutantKind.OtherGroup && survivor.HasSameDeeds
        ),
        new(
            "a copy that has a cause",
            "each copy has a separate cause. The copy before has no answer, or there is a delivery that no other copy needed, where several requests may have been the stored one",
            10,
            static survivor => IsCopyWithoutAnswer(survivor) || IsCopyByDelivery(survivor)
        ),
        new(
            "a dead letter that names the same sinks",
            "it has the name of its event and replaces the one before, or has the same content in other words: neither the number of attempts nor the words of a reason are promised",
            25,
            survivor =>
                survivor is { Changed: BlobWritten { Moment: WriteMoment.Stored, Container: "deadletters" }, Removed.Count: 0, Mutant.What: var what }
                && survivor.Added.TrueForAll(deed => deed.Kind == DeedKind.DeadLettered && survivor.Before.Contains(deed))
                && (
                    survivor.Mutant.Kind == MutantKind.Double
                    || what.StartsWith("over another blob", StringComparison.Ordinal)
                    || what.Contains("attempts", StringComparison.Ordinal)
                    || what.StartsWith("other reason", StringComparison.Ordinal)
                )
        ),
        new(
            "a dead letter that is explained",
            "all else is the same. Each sink has each event or its dead letter names the sink. If one named a sink that had the event, the answer was late, the event was delivered or claimed again, or another owner had failed",
            75,
            survivor =>
                survivor.Mutant.Kind is MutantKind.OtherSinks or MutantKind.RedundantDeadLetter
                && survivor.IsSameWithout(static deed => deed.Kind is DeedKind.DeadLettered or DeedKind.Claimed)
                && NaiveChecks.AreTrue(survivor.After)
                && LetterCauses.Hold(survivor.Run)
        ),
        new(
            "what a redrive refuses",
            "a redrive refuses a dead letter without partition, sequence number, offset or time, and leaves it. The journal does not record whether the event had a partition key",
            10,
            survivor =>
                survivor is { Mutant: { Kind: MutantKind.WrongMetadata, IsOfDeadLetter: true, What: var what }, HasSameDeeds: true }
                && Missing.Any(name => what.StartsWith($"no {name} in", StringComparison.Ordinal))
        )
        {
            IsOfRedrives = true,
        },
        new(
            "a claim of a redrive that nothing needs",
            "the name of a claimant is any text. The event's message was not in the queue before, or no copy of it needs the claim",
            10,
            survivor =>
                survivor is { Mutant: { Kind: MutantKind.WrongMetadata, IsOfDeadLetter: true, What: var what } }
                && what.Contains(" redrive in the metadata", StringComparison.Ordinal)
                && survivor.IsSameWithout(static deed => deed.Kind is DeedKind.DeadLettered or DeedKind.Claimed)
                && CopyCauses.Hold(survivor.Run)
        )
        {
            IsOfRedrives = true,
        },
        new(
            "a claim that names other sinks",
            "while a redrive works on a dead letter it names any sinks: in the end each sink has each event or the dead letter names the sink, and no checkpoint was ahead",
            10,
            survivor =>
                survivor is { Mutant: { Kind: MutantKind.WrongMetadata, IsOfDeadLetter: true, What: var what } }
                && survivor.Changed is BlobWritten { Metadata: { } fields }
                && fields.ContainsKey("redrive")
                && (
                    what.Contains(" sinks in the metadata", StringComparison.Ordinal)
                    || what.StartsWith("empty reason", StringComparison.Ordinal)
                    || what.StartsWith("no reason", StringComparison.Ordinal)
                )
                && survivor.IsSameWithout(static deed => deed.Kind is DeedKind.DeadLettered or DeedKind.Claimed)
                && NaiveChecks.AreTrue(survivor.After)
                && CopyCauses.Hold(survivor.Run)
        )
        {
            IsOfRedrives = true,
        },
        new("two records that it expired", "it is gone once", 10, survivor => survivor is { Changed: EventExpired, Mutant.Kind: MutantKind.Double }),
        new(
            "expired before any delivery",
            "the event expired before a reader received it, which the run accepts: of its bytes and its row nothing is promised",
            10,
            survivor =>
                survivor.Mutant.Good.Scope.AcceptsExpired && survivor.Mutant.Kind != MutantKind.OtherBytes && survivor.HasSameDeeds && IsOfUnseen(survivor)
        ),
        new(
            "an offset that is not named",
            "an offset is any text. No checkpoint is at this event, and neither a fault nor a dead letter names it",
            60,
            IsUnusedOffset
        ),
        new(
            "the stamp is in the properties' hash",
            "the journal may leave out the values of properties. Their hash, which covers the stamp, is the event's",
            20,
            survivor =>
                survivor is { Changed: MessageWritten { Properties: not null }, Mutant: { Kind: MutantKind.OtherRun, What: var what } }
                && what.StartsWith("no stamp", StringComparison.Ordinal)
        ),
        new("a send that was refused", "the row's event was never acknowledged and is in no hub: nothing is promised of it", 10, IsRefusedSend),
    ];

    private static string[] Missing => ["partition", "sequence", "offset", "enqueued", "partitionkey"];

    private static bool IsSilent(JournalRecord? record) =>
        record
            is MessageDelivered
                or MessageSettled
                or CheckpointWritten { Moment: not WriteMoment.Stored }
                or BlobWritten { Moment: WriteMoment.Answered }
                or BlobWritten { Moment: WriteMoment.Begun, Container: "deadletters" };

    // A record stored of an event that is not there yet belongs to none, at any name.
    private static bool IsNothingNew(Survivor survivor) =>
        survivor.Changed is not (EventAppended or MessageWritten or BlobWritten or CheckpointWritten) || NaiveChecks.StoredIsKnown(survivor.Run);

    private static bool IsOthers(Survivor survivor) =>
        survivor.Changed switch
        {
            // Whose messages are another hub's is known by its events.
            EventAppended appended when appended.Hub != GoodRun.Hub => survivor.Run.Journal.FindIndex(record =>
                record is EventAppended other && other.Hub == appended.Hub
            ) < survivor.Run.Journal.FindIndex(record => record is MessageWritten other && other.MessageId.StartsWith("other-", StringComparison.Ordinal)),
            EventDelivered delivered when delivered.Group != GoodRun.Group => true,
            CheckpointWritten checkpoint when !string.Equals(checkpoint.Group, GoodRun.Group, StringComparison.OrdinalIgnoreCase) => true,
            OwnershipWritten ownership when !string.Equals(ownership.Group, GoodRun.Group, StringComparison.OrdinalIgnoreCase) => true,
            MessageWritten message when message.MessageId.StartsWith("other-", StringComparison.Ordinal) => true,
            // Positions below the first event of this run are the earlier run's.
            CheckpointWritten => survivor.IsBelowTheRun && NaiveChecks.Rise(survivor.After),
            EventDelivered => survivor.IsOfOtherRun && NaiveChecks.AttachesHold(survivor.Run),
            MessageWritten or BlobWritten => survivor.IsOfOtherRun,
            EventAppended when survivor.Mutant.Kind is MutantKind.OtherRun or MutantKind.OtherBytes or MutantKind.WrongMetadata => survivor.IsOfOtherRun
                && survivor.HasSameDeeds,
            null when survivor.Mutant.Kind is MutantKind.ReplayByNewLink or MutantKind.CopyWithoutCause => survivor.Mutant.Good.Scope.Run is not null
                && NaiveChecks.AttachesHold(survivor.Run),
            _ => survivor.Mutant.ChangeLedger is not null
                && survivor.Mutant.Good.Scope.Run is not null
                && survivor.ChangedRows.All(row => row.Run != GoodRun.Run),
        };

    private static bool IsExcuse(JournalRecord? record) =>
        record is OwnershipWritten or ReaderAttached or FaultInjected or EmulatorStarted or MessageWritten { Moment: WriteMoment.Answered };

    private static bool IsMove(Survivor survivor) =>
        survivor.Changed is not null && survivor.Mutant.Kind is MutantKind.Swap or MutantKind.Shift or MutantKind.EarlyCheckpoint or MutantKind.LateCheckpoint;

    // A fault that stores a message twice or hands out an event twice is a deed, and a reader begins at its attach position.
    private static bool IsNotNeeded(Survivor survivor) =>
        survivor.Changed is MessageWritten
            ? CopyCauses.Hold(survivor.Run)
            : survivor.Changed is not (FaultInjected or ReaderAttached or EmulatorStarted)
                || (NaiveChecks.FaultsExplain(survivor.Run) && NaiveChecks.AttachesHold(survivor.Run));

    private static bool IsByOpenClaim(Survivor survivor)
    {
        if (
            survivor.Mutant.Kind != MutantKind.ReplayByNewLink
            || !survivor.Run.Journal.Exists(record => record is ReaderAttached { Link: "link-new", ClientId: null })
            || survivor.Added is not [{ Partition: var partition }, ..]
        )
        {
            return false;
        }

        var open = new Dictionary<string, long>(StringComparer.Ordinal);
        var (position, owner) = (-1L, string.Empty);
        var unnamed = new HashSet<string>(StringComparer.Ordinal);
        foreach (var record in survivor.Run.Journal.TakeWhile(record => record is not ReaderAttached { Link: "link-new" }))
        {
            if (record is OwnershipWritten { Group: not "audit" } claim && claim.Partition == partition && claim.Owner != owner)
            {
                open.Remove(claim.Owner.Length == 0 ? owner : string.Empty);
                owner = claim.Owner;
                open[owner] = position;
            }
            else if (record is CheckpointWritten { Moment: WriteMoment.Stored, Group: not "audit" } stored && stored.Partition == partition)
            {
                position = long.Parse(stored.Sequence!, System.Globalization.CultureInfo.InvariantCulture);
                open.Remove(stored.ClientId!);
            }
            else if (record is ReaderAttached { ClientId: null } attached && attached.Partition == partition)
            {
                unnamed.Add(attached.Link);
            }
            else if (record is EventDelivered delivered && delivered.Partition == partition && unnamed.Remove(delivered.Link))
            {
                // The first event that it is given uses the owner's claim up.
                open.Remove(owner);
            }
        }

        return open.Any(claim => claim.Key.Length > 0 && survivor.Added.TrueForAll(deed => deed.Sequence > claim.Value));
    }

    private static bool IsPushedInAnotherOrder(Survivor survivor) =>
        survivor.Changed is EventDelivered
        && IsMove(survivor)
        && survivor.IsSameWithout(static deed => deed.Kind == DeedKind.Delivered)
        && survivor is { Added.Count: 0, Removed.Count: 0 }
        && NaiveChecks.AttachesHold(survivor.Run)
        && NaiveChecks.BeginningsHold(survivor.Run, survivor.After)
        && CopyCauses.Hold(survivor.Run)
        && NaiveChecks.RepeatsAreAbove(survivor);

    private static bool IsDeliveredTwiceAtOnce(Survivor survivor)
    {
        if (
            survivor is not { Removed.Count: 0, Added: [{ Kind: DeedKind.Delivered } twice] }
            || survivor.Run.Journal.Exists(record => record is ReaderAttached)
        )
        {
            return false;
        }

        var again = survivor.After.FindLastIndex(deed => deed == twice);
        return !survivor
            .After.Take(again)
            .Any(deed => deed.Kind == DeedKind.Checkpoint && deed.Partition == twice.Partition && deed.Sequence >= twice.Sequence);
    }

    private static bool IsOneDeliveryLess(Survivor survivor)
    {
        if (survivor is not { Added.Count: 0, Removed: [{ Kind: DeedKind.Delivered } missing] } || survivor.Changed is not EventDelivered)
        {
            return false;
        }

        // One that expired or was never begun needs none.
        var delivered = survivor.After.FindIndex(deed => deed.Kind == DeedKind.Delivered && deed.IsOf(missing));
        var written = survivor.After.FindIndex(deed => (deed.IsBeginning || deed.IsEnd) && deed.IsOf(missing));
        return delivered >= 0 && (written < 0 || delivered < written) && CopyCauses.Hold(survivor.Run);
    }

    // One more request for an event after the write of a later one, of the partition or the key, is a repeat out of order.
    private static bool IsInOrder(Survivor survivor)
    {
        if (
            survivor is not { Changed: MessageWritten message, Mutant: { Kind: not MutantKind.Drop, Good: { Scope.Promise: not OrderPromise.None } good } }
            || survivor.Mutant.What.StartsWith("twice at once", StringComparison.Ordinal)
        )
        {
            return true;
        }

        var repeated = good.Journal.OfType<EventAppended>().Single(appended => message.MessageId == $"{appended.Hub}-{appended.Partition}-{appended.Sequence}");
        return !good
            .Journal.OfType<EventAppended>()
            .Any(later =>
                later.Partition == repeated.Partition
                && later.Sequence > repeated.Sequence
                && (good.Scope.Promise == OrderPromise.Partition || GetKey(later) == GetKey(repeated))
            );

        string? GetKey(EventAppended appended) => good.Ledger.Single(row => $"{row.Index}" == appended.Properties!["eht-index"]).Key;
    }

    private static bool IsWriteAnywhere(Survivor survivor) =>
        survivor is { Changed: MessageWritten or BlobWritten, Mutant.Good.Scope.Promise: OrderPromise.None }
        && survivor.Mutant.Kind
            is MutantKind.Drop
                or MutantKind.Double
                or MutantKind.Swap
                or MutantKind.Shift
                or MutantKind.OtherPartition
                or MutantKind.OtherGroup
        && survivor.Added.TrueForAll(deed => deed.IsBeginning)
        && survivor.Removed.TrueForAll(deed => deed.IsBeginning || (deed.Kind == DeedKind.MessageStored && survivor.After.Contains(deed)))
        && survivor.IsSameWithout(static deed => deed.IsBeginning || deed.IsEnd)
        && NaiveChecks.AreTrue(survivor.After)
        && CopyCauses.Hold(survivor.Run)
        && NaiveChecks.FaultsExplain(survivor.Run)
        && NaiveChecks.BeginningsHold(survivor.Run, survivor.After)
        && NaiveChecks.RepeatsAreAbove(survivor);

    private static bool IsCopyWithoutAnswer(Survivor survivor) =>
        survivor
            is {
                Changed: MessageWritten { MessageId: var id },
                Removed.Count: 0,
                Added: [{ Kind: DeedKind.MessageStored } copy],
                Mutant.Kind: MutantKind.Double
            }
        && NaiveChecks.BeginningsHold(survivor.Run, survivor.After)
        && CopyCauses.Hold(survivor.Run)
        && survivor.Run.Journal.OfType<MessageWritten>().Count(message => message.MessageId == id && message.Moment == WriteMoment.Answered)
            < survivor.After.Count(deed => deed == copy);

    private static bool IsCopyByDelivery(Survivor survivor) =>
        survivor.Mutant is { Kind: MutantKind.CopyWithoutCause, Good.Scope.Promise: OrderPromise.None }
        && !survivor.Run.Journal.Exists(static record => record is FaultInjected { Action: "duplicate" })
        && survivor.IsSameWithout(static deed => deed.Kind is DeedKind.MessageBegun or DeedKind.MessageStored)
        && NaiveChecks.BeginningsHold(survivor.Run, survivor.After)
        && CopyCauses.Hold(survivor.Run);

    private static bool IsUnusedOffset(Survivor survivor) =>
        survivor is { Mutant.Kind: MutantKind.OtherOffset, Changed: EventAppended appended }
        && !survivor.Before.Exists(deed => deed.Kind == DeedKind.Checkpoint && deed.Partition == appended.Partition && deed.Sequence == appended.Sequence)
        && !survivor.Run.Journal.Exists(record =>
            (record is FaultInjected fault && fault.Target == NaiveChecks.GetTarget(appended))
            || (record is BlobWritten { Container: "deadletters" } letter && letter.Name == EventNames.Blob(appended))
        );

    private static bool IsOfUnseen(Survivor survivor)
    {
        var unseen = survivor.Before.Where(deed => deed.Kind == DeedKind.Expired).ToList();
        var events = survivor
            .Mutant.Good.Journal.OfType<EventAppended>()
            .Where(appended => unseen.Exists(deed => deed.Partition == appended.Partition && deed.Sequence == appended.Sequence))
            .ToList();
        return survivor.Changed is EventAppended changed
            ? events.Contains(changed) && survivor.Mutant.Kind == MutantKind.WrongMetadata
            : survivor.ChangedRows.Any() && survivor.ChangedRows.All(row => events.Exists(appended => appended.Properties!["eht-index"] == $"{row.Index}"));
    }

    private static bool IsRefusedSend(Survivor survivor)
    {
        if (survivor.Mutant.ChangeLedger is null)
        {
            return false;
        }

        var appended = survivor
            .Run.Journal.OfType<EventAppended>()
            .Select(record => record.Properties?.GetValueOrDefault("eht-index"))
            .ToHashSet(StringComparer.Ordinal);
        return survivor.ChangedRows.All(row => row.Outcome != SendOutcome.Acked && !appended.Contains($"{row.Index}"));
    }
}
