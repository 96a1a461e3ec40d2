using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Lets another owner read what a checkpoint is about to pass: it writes each event twice, or in reverse order.</summary>
internal sealed class NextOwnerMaker(GoodRun good)
{
    private const string Connection = "connection-new";

    private readonly List<JournalRecord> journal = good.Journal;

    public IEnumerable<GeneratedMutant> All()
    {
        for (var at = 0; at < journal.Count; at++)
        {
            if (
                journal[at] is not CheckpointWritten { Moment: WriteMoment.Stored, Hub: GoodRun.Hub } checkpoint
                || !string.Equals(checkpoint.Group, GoodRun.Group, StringComparison.OrdinalIgnoreCase)
            )
            {
                continue;
            }

            var written = WrittenBefore(at, checkpoint);
            if (written.Count > 0)
            {
                yield return Of(MutantKind.CopyWithoutCause, at, "each event twice by the next owner", "duplicateServiceBus", [.. written, .. written]);
            }

            if (InOrder(written) is { Count: > 1 } ordered)
            {
                ordered.Reverse();
                var charge = good.Scope.Promise == OrderPromise.Key ? "orderStartKey" : "orderStartPartition";
                yield return Of(MutantKind.ReverseReplay, at, "by the next owner in reverse order", charge, ordered);
            }
        }
    }

    // Messages of the events between the checkpoint before and this one.
    private List<MessageWritten> WrittenBefore(int at, CheckpointWritten checkpoint)
    {
        var stored = journal
            .Take(at)
            .OfType<CheckpointWritten>()
            .LastOrDefault(before => before.Moment == WriteMoment.Stored && before.Group == checkpoint.Group && before.Partition == checkpoint.Partition);
        var events = journal
            .Take(at)
            .OfType<EventAppended>()
            .Where(appended =>
                appended.Hub == GoodRun.Hub
                && appended.Partition == checkpoint.Partition
                && appended.Sequence > (stored is null ? -1 : GetPosition(stored))
                && appended.Sequence <= GetPosition(checkpoint)
            )
            .Select(EventNames.Message)
            .ToList();
        var messages = journal
            .Take(at)
            .OfType<MessageWritten>()
            .Where(static message => message.Moment == WriteMoment.Stored)
            .DistinctBy(static m => m.MessageId);
        return [.. messages.Where(message => events.Contains(message.MessageId)).OrderBy(message => events.IndexOf(message.MessageId))];
    }

    // Those of which an order is promised: all, or those of the key that has most.
    private List<MessageWritten>? InOrder(List<MessageWritten> written) =>
        good.Scope.Promise switch
        {
            OrderPromise.Partition => [.. written],
            OrderPromise.Key => written.Where(message => GetKey(message) is not null).GroupBy(GetKey).MaxBy(static group => group.Count())?.ToList(),
            _ => null,
        };

    private string? GetKey(MessageWritten message) =>
        good.Ledger.Find(row => row.Run == message.Properties!["eht-run"] && Text(row.Index) == message.Properties["eht-index"])?.Key;

    private GeneratedMutant Of(MutantKind kind, int at, string what, string charge, IReadOnlyList<MessageWritten> writes) =>
        new(kind, "sb.accept", $"{what}, before checkpoint at {at + 1}", good, records => records.InsertRange(at, Records(at, writes))) { Charge = charge };

    private IEnumerable<JournalRecord> Records(int at, IReadOnlyList<MessageWritten> writes)
    {
        var partition = ((CheckpointWritten)journal[at]).Partition;
        var events = writes.Select(static message => long.Parse(message.MessageId.Split('-')[2], CultureInfo.InvariantCulture)).Distinct().Order().ToList();
        JournalRecord[] all =
        [
            new OwnershipWritten("checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), partition, "owner-new", "o1", "o2"),
            new ReaderAttached(GoodRun.Hub, GoodRun.Group, partition, events[0], "link-new", 0, "P-owner-new"),
            .. events.Select(sequence => new EventDelivered(GoodRun.Hub, GoodRun.Group, partition, sequence, "link-new", 0)),
            .. writes.SelectMany(message =>
                Enum.GetValues<WriteMoment>().Select(moment => message with { Moment = moment, Connection = message.Connection is null ? null : Connection })
            ),
        ];
        return all.Select(record => record with { Microseconds = journal[at].Microseconds });
    }

    private static long GetPosition(CheckpointWritten checkpoint) => long.Parse(checkpoint.Sequence!, CultureInfo.InvariantCulture);

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
