using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>The promises on checkpoints, computed the slow and plain way: every event at every checkpoint.</summary>
internal static class NaiveChecks
{
    /// <summary>
    /// Whether every checkpoint depends on complete events only, each owner's positions rise, and no reader begins below the checkpoint. Exceptions
    /// are those of the good run.
    /// </summary>
    public static bool CheckpointsHold(Survivor survivor) =>
        AreTrue(survivor.After)
        && Rise(survivor.After)
        && LastPositions(survivor.After).SequenceEqual(LastPositions(survivor.Before))
        && BeginNoLower(survivor);

    /// <summary>Whether every event at or below a checkpoint is complete, dead-lettered or expired before it.</summary>
    public static bool AreTrue(List<Deed> deeds)
    {
        var events = deeds.Where(deed => deed.Kind == DeedKind.Appended).ToList();
        for (var at = 0; at < deeds.Count; at++)
        {
            if (deeds[at] is { Kind: DeedKind.Checkpoint } checkpoint)
            {
                var settled = Settled(deeds.Take(at));
                if (
                    events.Any(appended =>
                        appended.Partition == checkpoint.Partition
                        && appended.Sequence <= checkpoint.Sequence
                        && !settled.Contains((appended.Partition, appended.Sequence))
                    )
                )
                {
                    return false;
                }
            }
        }

        return true;
    }

    /// <summary>Whether everything that was stored had begun before, unless a fault made it, and everything begun had been delivered.</summary>
    public static bool BeginningsHold(GoodRun run, List<Deed> deeds)
    {
        var counts = new Dictionary<Deed, int>();
        var delivered = new HashSet<(string, long)>();
        var faults = run.Journal.OfType<FaultInjected>().Where(fault => fault.Action == "duplicate").CountBy(fault => fault.Target).ToDictionary();
        foreach (var deed in deeds)
        {
            var name = (deed.Partition, deed.Sequence);
            counts[deed] = counts.GetValueOrDefault(deed) + 1;
            var holds = deed.Kind switch
            {
                DeedKind.Delivered => delivered.Add(name) || true,
                DeedKind.MessageBegun or DeedKind.BlobBegun or DeedKind.DeadLettered => delivered.Contains(name),
                DeedKind.MessageStored => counts[deed]
                    <= counts.GetValueOrDefault(deed with { Kind = DeedKind.MessageBegun })
                        + faults.GetValueOrDefault($"{GoodRun.Queue}/{GoodRun.Hub}-{deed.Partition}-{deed.Sequence}"),
                DeedKind.BlobStored => counts[deed] <= counts.GetValueOrDefault(deed with { Kind = DeedKind.BlobBegun }),
                _ => true,
            };
            if (!holds)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether every message that was stored beyond its beginnings had been doubled by a fault before.</summary>
    public static bool FaultsExplain(GoodRun run)
    {
        var beginnings = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var record in run.Journal)
        {
            // A record before its event is not about it.
            if (record is EventAppended { Hub: GoodRun.Hub } appended)
            {
                beginnings[$"{GoodRun.Hub}-{appended.Partition}-{appended.Sequence}"] = 0;
            }

            var id = record switch
            {
                MessageWritten { Moment: WriteMoment.Begun } message => message.MessageId,
                FaultInjected { Action: "duplicate" } fault => fault.Target[(fault.Target.IndexOf('/', StringComparison.Ordinal) + 1)..],
                _ => null,
            };
            if (id is not null)
            {
                beginnings[id] = beginnings.GetValueOrDefault(id) + 1;
            }
            else if (
                record is MessageWritten { Moment: WriteMoment.Stored } stored
                && (beginnings[stored.MessageId] = beginnings.GetValueOrDefault(stored.MessageId) - 1) < 0
            )
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether every reader was given rising events from its attach position, and events that a fault doubled twice.</summary>
    public static bool AttachesHold(GoodRun run)
    {
        var next = new Dictionary<(string, string), long>();
        var known = new HashSet<(string, string)>();
        var doubled = new Dictionary<(string, long), int>();
        var offsets = new Dictionary<string, (string, long)>(StringComparer.Ordinal);
        var isTold = run.Journal.Exists(record => record is ReaderAttached);
        // A partition without event and reader has nothing to hand out: a record of it is about nothing.
        var partitions = new HashSet<string>(StringComparer.Ordinal);
        foreach (var record in run.Journal)
        {
            switch (record)
            {
                case EmulatorStarted:
                    next.Clear();
                    break;
                case ReaderAttached { Group: GoodRun.Group } attached:
                    partitions.Add(attached.Partition);
                    known.Add((attached.Partition, attached.Link));
                    next[(attached.Partition, attached.Link)] = attached.Sequence;
                    break;
                case EventExpired { Hub: GoodRun.Hub } expired:
                    partitions.Add(expired.Partition);
                    break;
                case EventAppended { Hub: GoodRun.Hub } appended:
                    partitions.Add(appended.Partition);
                    offsets.TryAdd(GetTarget(appended), (appended.Partition, appended.Sequence));
                    break;
                // A record before its event is not about it.
                case FaultInjected { Point: "eventDeliver" } fault when offsets.TryGetValue(fault.Target, out var name):
                    doubled[name] = doubled.GetValueOrDefault(name) + 1;
                    break;
                case EventDelivered { Group: GoodRun.Group } delivered when isTold && partitions.Contains(delivered.Partition):
                    if (!next.TryGetValue((delivered.Partition, delivered.Link), out var first) && !known.Contains((delivered.Partition, delivered.Link)))
                    {
                        return false;
                    }

                    if (delivered.Sequence >= first)
                    {
                        next[(delivered.Partition, delivered.Link)] = delivered.Sequence + 1;
                    }
                    else if (
                        (doubled[(delivered.Partition, delivered.Sequence)] = doubled.GetValueOrDefault((delivered.Partition, delivered.Sequence)) - 1) < 0
                    )
                    {
                        return false;
                    }

                    break;
                default:
                    break;
            }
        }

        return true;
    }

    /// <summary>Whether each stored record is of an event, or of another hub, that was there by then, and so is every position.</summary>
    public static bool StoredIsKnown(GoodRun run)
    {
        var hubs = new HashSet<string>(StringComparer.Ordinal);
        var events = new HashSet<(string, long)>();
        foreach (var record in run.Journal)
        {
            switch (record)
            {
                case EventAppended appended:
                    hubs.Add(appended.Hub);
                    _ = appended.Hub == GoodRun.Hub && events.Add((appended.Partition, appended.Sequence));
                    break;
                case MessageWritten { Moment: WriteMoment.Stored, Entity: GoodRun.Queue } message when !IsKnown(message.MessageId.Split('-')):
                case BlobWritten { Moment: WriteMoment.Stored } blob when !IsKnown(blob.Name.Split('/')):
                case CheckpointWritten { Moment: WriteMoment.Stored, Group: not "audit", Sequence: { } position } checkpoint
                    when position != "-1" && !IsKnown([GoodRun.Hub, checkpoint.Partition, position]):
                    return false;
                default:
                    break;
            }
        }

        return true;

        bool IsKnown(string[] name) =>
            name[0] == GoodRun.Hub
                ? events.Contains((name[1], long.Parse(name[2], System.Globalization.CultureInfo.InvariantCulture)))
                : hubs.Contains(name[0]);
    }

    /// <summary>Whether every reader that was given an event after its first write began above the checkpoint, or did so in the good run.</summary>
    public static bool RepeatsAreAbove(Survivor survivor)
    {
        var good = RepeatedBelow(Readers(survivor.Mutant.Good, survivor.Before));
        return RepeatedBelow(Readers(survivor.Run, survivor.After)).All(good.Contains);
    }

    // Where attaches are not recorded, a link that goes back is another reader on one of the same name.
    private static List<Deed> Readers(GoodRun run, List<Deed> deeds)
    {
        if (run.Journal.Exists(record => record is ReaderAttached))
        {
            return deeds;
        }

        var links = new Dictionary<string, (int Readers, long Last)>(StringComparer.Ordinal);
        return [.. deeds.Select(Named)];

        Deed Named(Deed deed)
        {
            if (deed.Kind != DeedKind.Delivered)
            {
                return deed;
            }

            var (readers, last) = links.GetValueOrDefault(deed.Who!, (0, -1));
            readers += deed.Sequence <= last ? 1 : 0;
            links[deed.Who!] = (readers, deed.Sequence);
            return deed with { Who = $"{deed.Who}/{readers}" };
        }
    }

    private static HashSet<Deed> RepeatedBelow(List<Deed> deeds)
    {
        var beginnings = Beginnings(deeds);
        var begun = new HashSet<(string, long)>();
        var below = new HashSet<Deed>();
        foreach (var deed in deeds)
        {
            if (deed.IsBeginning || deed.Kind == DeedKind.DeadLettered)
            {
                begun.Add((deed.Partition, deed.Sequence));
            }
            else if (deed.Kind == DeedKind.Delivered && begun.Contains((deed.Partition, deed.Sequence)) && deed.Sequence <= beginnings[deed.Who!].Position)
            {
                below.Add(deed);
            }
        }

        return below;
    }

    /// <summary>The deeds without the beginnings of an event at a sink that are not the first there.</summary>
    public static IEnumerable<Deed> WithoutFurtherAttempts(List<Deed> deeds)
    {
        var begun = new HashSet<Deed>();
        return [.. deeds.Where(deed => !deed.IsBeginning || begun.Add(deed))];
    }

    private static HashSet<(string, long)> Settled(IEnumerable<Deed> deeds)
    {
        var messages = new HashSet<(string, long)>();
        var blobs = new HashSet<(string, long)>();
        var settled = new HashSet<(string, long)>();
        foreach (var deed in deeds)
        {
            var name = (deed.Partition, deed.Sequence);
            var isSettled = deed.Kind switch
            {
                DeedKind.MessageStored => messages.Add(name) && blobs.Contains(name),
                DeedKind.BlobStored => blobs.Add(name) && messages.Contains(name),
                DeedKind.DeadLettered or DeedKind.Claimed => IsGivenUp(deed),
                DeedKind.Expired => true,
                _ => false,
            };
            if (isSettled)
            {
                settled.Add(name);
            }
        }

        return settled;

        bool IsGivenUp(Deed letter)
        {
            var name = (letter.Partition, letter.Sequence);
            _ = letter.Names("servicebus") && messages.Add(name);
            _ = letter.Names("blob") && blobs.Add(name);
            return messages.Contains(name) && blobs.Contains(name);
        }
    }

    /// <summary>Whether positions rise as long as neither their owner nor its reader changes.</summary>
    public static bool Rise(List<Deed> deeds)
    {
        var serving = new Dictionary<string, string?>(StringComparer.Ordinal);
        var last = new Dictionary<string, (string? Client, string? Link, long Position)>(StringComparer.Ordinal);
        foreach (var deed in deeds)
        {
            if (deed.Kind == DeedKind.Delivered)
            {
                serving[deed.Partition] = deed.Who;
            }
            else if (deed.Kind == DeedKind.Checkpoint)
            {
                var author = (deed.Who, serving.GetValueOrDefault(deed.Partition));
                if (last.TryGetValue(deed.Partition, out var before) && (before.Client, before.Link) == author && before.Position >= deed.Sequence)
                {
                    return false;
                }

                last[deed.Partition] = (deed.Who, author.Item2, deed.Sequence);
            }
        }

        return true;
    }

    /// <summary>The events that a fault hands out twice.</summary>
    public static HashSet<(string, long)> DoubledBy(GoodRun run) =>
        [
            .. run
                .Journal.OfType<EventAppended>()
                .Where(appended => run.Journal.OfType<FaultInjected>().Any(fault => fault.Point == "eventDeliver" && fault.Target == GetTarget(appended)))
                .Select(appended => (appended.Partition, appended.Sequence)),
        ];

    /// <summary>What a fault names that hands this event out twice.</summary>
    public static string GetTarget(EventAppended appended) => $"{GoodRun.Hub}/{GoodRun.Group}/{appended.Partition}/{appended.Offset}";

    private static IEnumerable<(string, long)> LastPositions(List<Deed> deeds) =>
        deeds.Where(deed => deed.Kind == DeedKind.Checkpoint).GroupBy(deed => deed.Partition, (partition, all) => (partition, all.Last().Sequence)).Order();

    private static bool BeginNoLower(Survivor survivor)
    {
        var before = Beginnings(survivor.Before);
        return Beginnings(survivor.After)
            .All(beginning =>
                beginning.Value.Position < beginning.Value.First
                || (before.TryGetValue(beginning.Key, out var good) && beginning.Value.Position <= good.Position)
            );
    }

    /// <summary>By link: the position stored when it was given its first event, and that event.</summary>
    private static Dictionary<string, (long Position, long First)> Beginnings(List<Deed> deeds)
    {
        var positions = new Dictionary<string, long>(StringComparer.Ordinal);
        var beginnings = new Dictionary<string, (long, long)>(StringComparer.Ordinal);
        foreach (var deed in deeds)
        {
            if (deed.Kind == DeedKind.Checkpoint)
            {
                positions[deed.Partition] = deed.Sequence;
            }
            else if (deed.Kind == DeedKind.Delivered)
            {
                beginnings.TryAdd(deed.Who!, (positions.GetValueOrDefault(deed.Partition, -1), deed.Sequence));
            }
        }

        return beginnings;
    }
}
