using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Makes every mutant of one good run, kind after kind, record after record.</summary>
internal sealed class MutantMaker(GoodRun good)
{
    private static readonly int[] Distances = [2, 7, 25];

    private readonly List<JournalRecord> journal = good.Journal;

    public IEnumerable<GeneratedMutant> All() =>
        [
            .. Each(Places),
            .. Each(Elsewhere),
            .. Each(Contents),
            .. Each(Checkpoints),
            .. Truncations(),
            .. Rows(),
            .. new ReplayMaker(good).All(),
            .. new LetterMaker(good).All(),
            .. new CopyMaker(good).All(),
            .. new NextOwnerMaker(good).All(),
            .. new DeletionMaker(good).All(),
            .. new ClaimMaker(good).All(),
        ];

    private IEnumerable<GeneratedMutant> Each(Func<int, IEnumerable<GeneratedMutant>> of) => Enumerable.Range(0, journal.Count).SelectMany(of);

    private GeneratedMutant Of(MutantKind kind, int at, string what, Action<List<JournalRecord>> change) =>
        new(kind, GeneratedMutant.GetName(journal[at]), $"{what} at {at + 1}", good, change) { At = at };

    private GeneratedMutant Changed(MutantKind kind, int at, string what, JournalRecord changed) => Of(kind, at, what, records => records[at] = changed);

    private IEnumerable<GeneratedMutant> Places(int at)
    {
        var record = journal[at];
        yield return Of(MutantKind.Drop, at, "dropped", records => records.RemoveAt(at));
        yield return Of(MutantKind.Double, at, "twice at once", records => records.Insert(at, record));
        yield return Of(MutantKind.Double, at, "again at the end", records => records.Add(record));
        if (at + 1 < journal.Count)
        {
            yield return Of(MutantKind.Swap, at, "changed places with the next", records => Swap(records, at, at + 1));
        }

        // With the next record of its kind, for any event.
        var same = Enumerable
            .Range(at + 1, journal.Count - at - 1)
            .FirstOrDefault(later => GeneratedMutant.GetName(journal[later]) == GeneratedMutant.GetName(record));
        if (same > at + 1)
        {
            yield return Of(MutantKind.Swap, at, $"changed places with {same + 1}", records => Swap(records, at, same));
        }

        foreach (var distance in Distances)
        {
            if (at - distance >= 0)
            {
                yield return Of(MutantKind.Shift, at, $"{distance} earlier", records => Move(records, at, at - distance));
            }

            if (at + distance < journal.Count)
            {
                yield return Of(MutantKind.Shift, at, $"{distance} later", records => Move(records, at, at + distance));
            }
        }

        yield return Of(MutantKind.Shift, at, "to the beginning", records => Move(records, at, 0));
        yield return Of(MutantKind.Shift, at, "to the end", records => Move(records, at, records.Count - 1));
    }

    private IEnumerable<GeneratedMutant> Elsewhere(int at)
    {
        const string other = "7";
        switch (journal[at])
        {
            case EventAppended record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Partition = other });
                yield return Changed(MutantKind.OtherRun, at, "another run", record with { Properties = Stamped(record.Properties, "run-9") });
                yield return Changed(MutantKind.OtherRun, at, "no stamp", record with { Properties = null });
                yield return Changed(MutantKind.OtherRun, at, "another index", record with { Properties = Indexed(record.Properties) });
                yield return Changed(MutantKind.OtherGroup, at, "another hub", record with { Hub = "elsewhere" });
                break;
            case ReaderAttached record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Partition = other });
                yield return Changed(MutantKind.OtherGroup, at, "another group", record with { Group = "elsewhere" });
                yield return Changed(MutantKind.OtherGroup, at, "another reader", record with { ClientId = "elsewhere" });
                yield return Changed(MutantKind.OtherOffset, at, "2 lower", record with { Sequence = Math.Max(0, record.Sequence - 2) });
                yield return Changed(MutantKind.OtherOffset, at, "2 higher", record with { Sequence = record.Sequence + 2 });
                break;
            case EventDelivered record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Partition = other });
                yield return Changed(MutantKind.OtherGroup, at, "another group", record with { Group = "elsewhere" });
                yield return Changed(MutantKind.OtherGroup, at, "no owner level", record with { OwnerLevel = null });
                break;
            case EventExpired record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Partition = other });
                yield return Changed(MutantKind.OtherGroup, at, "another hub", record with { Hub = "elsewhere" });
                break;
            case MessageWritten record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { MessageId = Elsewhere(record.MessageId, '-') });
                yield return Changed(MutantKind.OtherPartition, at, "another event", record with { MessageId = GetNext(record.MessageId, '-') });
                yield return Changed(MutantKind.OtherGroup, at, "another queue", record with { Entity = "elsewhere" });
                if (record.Moment == WriteMoment.Stored)
                {
                    yield return Changed(MutantKind.OtherRun, at, "another run", record with { Properties = Stamped(record.Properties, "run-9") });
                    yield return Changed(MutantKind.OtherRun, at, "another index", record with { Properties = Indexed(record.Properties) });
                    yield return Changed(MutantKind.OtherRun, at, "no stamp", record with { Properties = null });
                }

                break;
            case BlobWritten record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Name = Elsewhere(record.Name, '/') });
                yield return Changed(MutantKind.OtherPartition, at, "another event", record with { Name = GetNext(record.Name, '/') });
                yield return Changed(MutantKind.OtherGroup, at, "another container", record with { Container = "elsewhere" });
                yield return Changed(
                    MutantKind.OtherGroup,
                    at,
                    "the other container",
                    record with
                    {
                        Container = record.Container == "archive" ? "deadletters" : "archive",
                    }
                );
                break;
            case CheckpointWritten record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Partition = record.Partition == "0" ? "1" : "0" });
                yield return Changed(MutantKind.OtherGroup, at, "another group", record with { Group = "elsewhere" });
                yield return Changed(MutantKind.OtherGroup, at, "another container", record with { Container = "elsewhere" });
                yield return Changed(MutantKind.OtherGroup, at, "another client", record with { ClientId = "elsewhere" });
                break;
            case OwnershipWritten record:
                yield return Changed(MutantKind.OtherPartition, at, "another partition", record with { Partition = record.Partition == "0" ? "1" : "0" });
                yield return Changed(MutantKind.OtherGroup, at, "another group", record with { Group = "elsewhere" });
                yield return Changed(MutantKind.OtherGroup, at, "another owner", record with { Owner = "elsewhere" });
                break;
            default:
                break;
        }
    }

    private IEnumerable<GeneratedMutant> Contents(int at)
    {
        const string type = "text/other";
        var hash = SimulatedEvent.Hash("other");
        switch (journal[at])
        {
            case EventAppended record:
                yield return Changed(MutantKind.OtherBytes, at, "other bytes", record with { Sha256 = hash });
                yield return Changed(MutantKind.OtherBytes, at, "other length", record with { Length = record.Length + 1 });
                yield return Changed(MutantKind.WrongMetadata, at, "other content type", record with { ContentType = type });
                yield return Changed(MutantKind.WrongMetadata, at, "other properties", record with { PropertiesSha256 = hash });
                yield return Changed(MutantKind.OtherOffset, at, "other offset", record with { Offset = record.Offset + "1" });
                break;
            case MessageWritten { Moment: WriteMoment.Stored } record:
                yield return Changed(MutantKind.OtherBytes, at, "other bytes", record with { Sha256 = hash });
                yield return Changed(MutantKind.OtherBytes, at, "no hash", record with { Sha256 = null });
                yield return Changed(MutantKind.OtherBytes, at, "other length", record with { Length = record.Length - 1 });
                yield return Changed(MutantKind.WrongMetadata, at, "other content type", record with { ContentType = type });
                yield return Changed(MutantKind.WrongMetadata, at, "no content type", record with { ContentType = null });
                yield return Changed(MutantKind.WrongMetadata, at, "other properties", record with { PropertiesSha256 = hash });
                break;
            case BlobWritten { Moment: WriteMoment.Stored } record:
                yield return Changed(MutantKind.OtherBytes, at, "other bytes", record with { Sha256 = hash });
                yield return Changed(MutantKind.OtherBytes, at, "no hash", record with { Sha256 = null });
                yield return Changed(MutantKind.OtherBytes, at, "other length", record with { Length = record.Length - 1 });
                yield return Changed(MutantKind.OtherBytes, at, "over another blob", record with { Overwrote = true });
                yield return Changed(MutantKind.WrongMetadata, at, "other content type", record with { ContentType = type });
                yield return Changed(MutantKind.WrongMetadata, at, "no content type", record with { ContentType = null });
                foreach (var name in record.Metadata!.Keys)
                {
                    yield return Changed(
                        MutantKind.WrongMetadata,
                        at,
                        $"no {name} in the metadata",
                        record with
                        {
                            Metadata = With(record.Metadata, name, null),
                        }
                    );
                    yield return Changed(
                        MutantKind.WrongMetadata,
                        at,
                        $"empty {name} in the metadata",
                        record with
                        {
                            Metadata = With(record.Metadata, name, ""),
                        }
                    );
                    yield return Changed(
                        MutantKind.WrongMetadata,
                        at,
                        $"other {name} in the metadata",
                        record with
                        {
                            Metadata = With(
                                record.Metadata,
                                name,
                                name == "length" ? "1"
                                    : name == "properties" ? "b3RoZXI="
                                    : name == "sha256" ? hash
                                    : "other"
                            ),
                        }
                    );
                }

                break;
            default:
                break;
        }
    }

    private IEnumerable<GeneratedMutant> Checkpoints(int at)
    {
        if (journal[at] is not CheckpointWritten { Moment: WriteMoment.Stored } record)
        {
            yield break;
        }

        var ours = journal.OfType<EventAppended>().Where(appended => appended.Partition == record.Partition && appended.Hub == record.Hub).ToList();
        var place = ours.FindIndex(appended => Text(appended.Sequence) == record.Sequence);
        foreach (var steps in new[] { 1, 2, 5 })
        {
            if (place + steps < ours.Count)
            {
                yield return Changed(
                    MutantKind.EarlyCheckpoint,
                    at,
                    $"position {steps} higher",
                    record with
                    {
                        Sequence = Text(ours[place + steps].Sequence),
                        Offset = ours[place + steps].Offset,
                    }
                );
            }

            if (place - steps >= 0)
            {
                yield return Changed(
                    MutantKind.LateCheckpoint,
                    at,
                    $"position {steps} lower",
                    record with
                    {
                        Sequence = Text(ours[place - steps].Sequence),
                        Offset = ours[place - steps].Offset,
                    }
                );
            }
        }

        // The last completion that it depends on comes after it.
        var last = Enumerable
            .Range(0, at)
            .LastOrDefault(before => journal[before] is MessageWritten { Moment: WriteMoment.Stored } or BlobWritten { Moment: WriteMoment.Stored });
        yield return Of(MutantKind.EarlyCheckpoint, at, "before the last completion", records => Move(records, at, last));
        var next = Enumerable
            .Range(at + 1, journal.Count - at - 1)
            .FirstOrDefault(later =>
                journal[later] is CheckpointWritten { Moment: WriteMoment.Stored } other && other.Partition == record.Partition && other.Group == record.Group
            );
        if (next > 0)
        {
            yield return Of(MutantKind.LateCheckpoint, at, "just before the next", records => Move(records, at, next - 1));
            yield return Of(MutantKind.LateCheckpoint, at, "after the next", records => Move(records, at, next));
        }

        yield return Changed(MutantKind.EarlyCheckpoint, at, "position beyond the end", record with { Sequence = Text(ours[^1].Sequence + 5), Offset = "99" });
        yield return Changed(MutantKind.LateCheckpoint, at, "position before the beginning", record with { Sequence = "-1", Offset = "-1" });
        var another = ours[place == 0 ? Math.Min(1, ours.Count - 1) : place - 1];
        yield return Changed(MutantKind.OtherOffset, at, "the offset of another event", record with { Offset = another.Offset });
        yield return Changed(MutantKind.OtherOffset, at, "an offset of no event", record with { Offset = "none-such" });
        yield return Changed(MutantKind.OtherOffset, at, "an offset of no event alone", record with { Offset = "none-such", Sequence = null });
        yield return Changed(MutantKind.OtherOffset, at, "the offset of another event alone", record with { Offset = another.Offset, Sequence = null });
        yield return Changed(MutantKind.OtherOffset, at, "neither offset nor number", record with { Offset = null, Sequence = null });
        yield return Changed(MutantKind.OtherOffset, at, "the offset alone", record with { Sequence = null });
        yield return Changed(MutantKind.OtherOffset, at, "the number alone", record with { Offset = null });
        yield return Changed(MutantKind.OtherOffset, at, "a number that is none", record with { Sequence = "first" });
    }

    private IEnumerable<GeneratedMutant> Truncations()
    {
        for (var length = 0; length < journal.Count; length++)
        {
            var to = length;
            yield return Of(MutantKind.Truncation, to, "ends before the record", records => records.RemoveRange(to, records.Count - to));
        }
    }

    private IEnumerable<GeneratedMutant> Rows()
    {
        for (var i = 0; i < good.Ledger.Count; i++)
        {
            var at = i;
            var row = good.Ledger[at];
            yield return OfRow(MutantKind.Drop, "row dropped", rows => rows.RemoveAt(at));
            yield return OfRow(MutantKind.Double, "row twice", rows => rows.Add(row));
            yield return OfRow(MutantKind.Double, "row twice, as another event", rows => rows.Add(row with { Index = 9_999 }));
            yield return OfRow(MutantKind.OtherRun, "row of another run", rows => rows[at] = row with { Run = "run-9" });
            yield return OfRow(MutantKind.OtherGroup, "row of another hub", rows => rows[at] = row with { Hub = "elsewhere" });
            yield return OfRow(MutantKind.OtherBytes, "row of other bytes", rows => rows[at] = row with { Sha256 = SimulatedEvent.Hash("other") });
            yield return OfRow(MutantKind.OtherBytes, "row of another length", rows => rows[at] = row with { Length = row.Length + 1 });
            yield return OfRow(MutantKind.Truncation, "the ledger ends before the row", rows => rows.RemoveRange(at, rows.Count - at));

            GeneratedMutant OfRow(MutantKind kind, string what, Action<List<LedgerRow>> change) =>
                new(kind, "ledger", $"{what} at {at + 2}", good, static _ => { }) { ChangeLedger = change };
        }
    }

    private static void Swap(List<JournalRecord> records, int first, int second) => (records[first], records[second]) = (records[second], records[first]);

    private static void Move(List<JournalRecord> records, int from, int to)
    {
        var record = records[from];
        records.RemoveAt(from);
        records.Insert(to, record);
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Elsewhere(string name, char separator)
    {
        var parts = name.Split(separator);
        parts[^2] = parts[^2] == "0" ? "1" : "0";
        return string.Join(separator, parts);
    }

    private static string GetNext(string name, char separator)
    {
        var parts = name.Split(separator);
        parts[^1] = (long.Parse(parts[^1], CultureInfo.InvariantCulture) + 1).ToString($"D{(separator == '/' ? 20 : 1)}", CultureInfo.InvariantCulture);
        return string.Join(separator, parts);
    }

    private static Dictionary<string, string> With(IReadOnlyDictionary<string, string> map, string name, string? value)
    {
        var changed = new Dictionary<string, string>(map, StringComparer.Ordinal);
        changed.Remove(name);
        if (value is not null)
        {
            changed[name] = value;
        }

        return changed;
    }

    private static Dictionary<string, string>? Stamped(IReadOnlyDictionary<string, string>? map, string run) => map is null ? null : With(map, "eht-run", run);

    private static Dictionary<string, string>? Indexed(IReadOnlyDictionary<string, string>? map) => map is null ? null : With(map, "eht-index", "8888");
}
