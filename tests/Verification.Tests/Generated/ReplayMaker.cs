using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Lets events be delivered again that a checkpoint has passed, by the link that had them or by a new one, after every checkpoint.</summary>
internal sealed class ReplayMaker(GoodRun good)
{
    private static readonly int[] Lengths = [1, 3, 1_000];

    public IEnumerable<GeneratedMutant> All()
    {
        var journal = good.Journal;
        for (var i = 0; i < journal.Count; i++)
        {
            if (
                journal[i] is not CheckpointWritten { Moment: WriteMoment.Stored, Hub: GoodRun.Hub } checkpoint
                || !string.Equals(checkpoint.Group, GoodRun.Group, StringComparison.OrdinalIgnoreCase)
            )
            {
                continue;
            }

            var at = i;
            var first = new Dictionary<long, EventDelivered>();
            foreach (
                var delivered in journal
                    .Take(at)
                    .OfType<EventDelivered>()
                    .Where(delivered => delivered.Partition == checkpoint.Partition && delivered.Group == GoodRun.Group)
            )
            {
                first[delivered.Sequence] = delivered;
            }

            var passed = first.Values.Where(delivered => delivered.Sequence <= Position(checkpoint)).OrderBy(delivered => delivered.Sequence).ToList();
            foreach (var length in Lengths.Where(length => length == 1 || passed.Count > 1))
            {
                var again = passed.TakeLast(length).ToList();
                var what =
                    again.Count == passed.Count ? "all events"
                    : again.Count == 1 ? "the last event"
                    : $"the last {again.Count} events";
                foreach (var writes in new[] { false, true })
                {
                    foreach (var atEnd in new[] { false, true })
                    {
                        foreach (var claims in new[] { false, true })
                        {
                            var text = $"{what}{(writes ? ", written again" : "")}{(claims ? ", claimed anew" : "")}, {(atEnd ? "at the end" : "at once")}";
                            if (!claims)
                            {
                                yield return Of(MutantKind.ReplayBySameLink, at, text, records => Insert(records, again, at, atEnd, null, writes, false));
                            }

                            yield return Of(MutantKind.ReplayByNewLink, at, text, records => Insert(records, again, at, atEnd, "link-new", writes, claims));
                        }
                    }
                }
            }
        }
    }

    private static long Position(CheckpointWritten checkpoint) => long.Parse(checkpoint.Sequence!, System.Globalization.CultureInfo.InvariantCulture);

    private GeneratedMutant Of(MutantKind kind, int at, string what, Action<List<JournalRecord>> change) =>
        new(kind, "eh.deliver", $"{what}, after checkpoint at {at + 1}", good, change);

    private void Insert(List<JournalRecord> records, List<EventDelivered> again, int at, bool atEnd, string? link, bool writes, bool claims)
    {
        var added = new List<JournalRecord>();
        if (claims)
        {
            added.Add(new OwnershipWritten("checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), again[0].Partition, "owner-new", "o1", "o2"));
        }

        if (link is not null)
        {
            added.Add(new ReaderAttached(GoodRun.Hub, GoodRun.Group, again[0].Partition, again[0].Sequence, link, 0, claims ? "P-owner-new" : null));
        }

        foreach (var delivered in again)
        {
            added.Add(link is null ? delivered : delivered with { Link = link });
            if (writes)
            {
                // As a consumer does that finds the blob in its place.
                added.AddRange(
                    good.Journal.OfType<MessageWritten>()
                        .Where(message => message.MessageId == $"{GoodRun.Hub}-{delivered.Partition}-{delivered.Sequence}")
                        .DistinctBy(message => message.Moment)
                );
            }
        }

        records.InsertRange(atEnd ? records.Count : at + 1, added);
    }
}
