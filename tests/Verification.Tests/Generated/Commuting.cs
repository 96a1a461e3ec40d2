namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Whether two orders of the same deeds are one to every promise.</summary>
internal sealed class Commuting
{
    private readonly OrderPromise promise;
    private readonly Dictionary<(string, long), string?> keys;
    private readonly List<Deed> before;
    private readonly List<Deed> after;

    // Places in the good run of deeds that come first: of their link, or of their kind with their event.
    private readonly HashSet<int> firsts = [];

    private Commuting(Survivor survivor)
    {
        promise = survivor.Mutant.Good.Scope.Promise;
        (before, after) = (survivor.Before, survivor.After);
        keys = GetKeys(survivor.Mutant.Good);
        var seen = new HashSet<Deed>();
        for (var at = 0; at < before.Count; at++)
        {
            if (seen.Add(before[at].Kind == DeedKind.Delivered ? before[at] with { Sequence = 0 } : before[at]))
            {
                firsts.Add(at);
            }
        }
    }

    /// <summary>Every two deeds whose order a promise covers are in their original order.</summary>
    public static bool IsSame(Survivor survivor) => new Commuting(survivor).Holds();

    private bool Holds()
    {
        if (PlacesAfter() is not { } places)
        {
            return false;
        }

        for (var first = 0; first < places.Length; first++)
        {
            for (var second = first + 1; second < places.Length; second++)
            {
                if (places[first] > places[second] && AreBound(first, second))
                {
                    return false;
                }
            }
        }

        return true;
    }

    /// <summary>The place of each deed of the good run in the mutant. Equal ones keep their order. Null when they are not the same deeds.</summary>
    private int[]? PlacesAfter()
    {
        if (before.Count != after.Count)
        {
            return null;
        }

        var free = new Dictionary<Deed, Queue<int>>();
        for (var at = 0; at < after.Count; at++)
        {
            if (!free.TryGetValue(after[at], out var queue))
            {
                free[after[at]] = queue = new Queue<int>();
            }

            queue.Enqueue(at);
        }

        var places = new int[before.Count];
        for (var at = 0; at < before.Count; at++)
        {
            if (!free.TryGetValue(before[at], out var queue) || !queue.TryDequeue(out places[at]))
            {
                return null;
            }
        }

        return places;
    }

    private bool AreBound(int first, int second)
    {
        var (one, other) = (before[first], before[second]);
        if (one.Partition != other.Partition)
        {
            return false;
        }

        return one.IsOf(other) && AreBoundOfOneEvent(one, other)
            || AreBoundAcross(one, firsts.Contains(first), other, firsts.Contains(second))
            || AreBoundAcross(other, firsts.Contains(second), one, firsts.Contains(first))
            || (firsts.Contains(first) && firsts.Contains(second) && AreOrdered(one, other));
    }

    // Every deed with an event comes after it is there and after an owner has it, and an end after its beginning.
    private static bool AreBoundOfOneEvent(Deed one, Deed other) =>
        (one.Kind, other.Kind) switch
        {
            (DeedKind.Appended, DeedKind.Expired) or (DeedKind.Expired, DeedKind.Appended) => false,
            (DeedKind.Appended, _) or (_, DeedKind.Appended) or (DeedKind.Expired, _) or (_, DeedKind.Expired) => true,
            _ when one.IsTurn || other.IsTurn => true,
            (DeedKind.Delivered, _) => !other.IsEnd,
            (_, DeedKind.Delivered) => !one.IsEnd,
            (DeedKind.MessageBegun, DeedKind.MessageStored) or (DeedKind.MessageStored, DeedKind.MessageBegun) => true,
            (DeedKind.BlobBegun, DeedKind.BlobStored) or (DeedKind.BlobStored, DeedKind.BlobBegun) => true,
            _ => false,
        };

    private static bool AreBoundAcross(Deed one, bool isFirst, Deed other, bool isOtherFirst) =>
        (one.Kind, other.Kind) switch
        {
            (DeedKind.Appended, DeedKind.Appended) or (DeedKind.Checkpoint, DeedKind.Checkpoint) => true,
            // A position and the deeds that it depends on.
            (DeedKind.Checkpoint, DeedKind.Expired) => other.Sequence <= one.Sequence,
            (DeedKind.Checkpoint, _) when other.IsEnd => isOtherFirst && other.Sequence <= one.Sequence,
            // What a reader is given first, and what was stored or had begun by then.
            (DeedKind.Delivered, DeedKind.Delivered) => one.Who == other.Who || isFirst || isOtherFirst,
            (DeedKind.Delivered, DeedKind.Checkpoint) => isFirst,
            (DeedKind.Delivered, _) when other.IsBeginning => isFirst && isOtherFirst,
            _ => false,
        };

    // Beginnings, arrivals, and a beginning and the end before it.
    private bool AreOrdered(Deed one, Deed other) =>
        (one.Kind == other.Kind || (one.IsBeginning && other.IsEnd) || (one.IsEnd && other.IsBeginning))
        && (one.IsBeginning || one.IsEnd)
        && !one.IsOf(other)
        && promise switch
        {
            OrderPromise.Partition => true,
            OrderPromise.Key => keys[(one.Partition, one.Sequence)] == keys[(other.Partition, other.Sequence)],
            _ => false,
        };

    private static Dictionary<(string, long), string?> GetKeys(GoodRun run)
    {
        var rows = run.Ledger.ToDictionary(row => (row.Run, row.Index));
        return run
            .Journal.OfType<Journal.EventAppended>()
            .Where(appended => appended.Hub == GoodRun.Hub)
            .ToDictionary(
                appended => (appended.Partition, appended.Sequence),
                appended =>
                    rows[(appended.Properties!["eht-run"], long.Parse(appended.Properties["eht-index"], System.Globalization.CultureInfo.InvariantCulture))].Key
            );
    }
}
