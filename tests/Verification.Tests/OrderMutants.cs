using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What can go wrong with order. In partition 0 sequences 6 and 8 share a key, 7 has the other one.</summary>
internal static class OrderMutants
{
    public static IEnumerable<Mutant> All =>
        [
            new("two of a partition swapped", run => Swap(run, 6, 7, AtSink), "orderStartPartition", "orderEndPartition", "overlapPartition")
            {
                Promise = OrderPromise.Partition,
            },
            new("two of a key swapped", run => Swap(run, 6, 8, AtSink), "orderStartKey", "orderEndKey", "overlapKey") { Promise = OrderPromise.Key },
            new("two of different keys swapped", run => Swap(run, 6, 7, AtSink)) { Promise = OrderPromise.Key },
            new("two swapped that nobody promised", run => Swap(run, 6, 8, AtSink)),
            new("beginnings swapped in a partition", run => BeginBefore(run, 7, 6), "orderStartPartition", "overlapPartition")
            {
                Promise = OrderPromise.Partition,
            },
            new("beginnings swapped in a key", run => BeginBefore(run, 8, 6), "orderStartKey", "overlapKey") { Promise = OrderPromise.Key },
            new("acceptances swapped in a partition", run => SwapAcceptances(run, 6, 7), "orderEndPartition", "overlapPartition")
            {
                Promise = OrderPromise.Partition,
            },
            new("acceptances swapped in a key", run => SwapAcceptances(run, 6, 8), "orderEndKey", "overlapKey") { Promise = OrderPromise.Key },
            new("overlap by one tick in a partition", run => StartEarly(run, 7, 6), "overlapPartition") { Promise = OrderPromise.Partition },
            new("overlap by one tick in a key", run => StartEarly(run, 8, 6), "overlapKey") { Promise = OrderPromise.Key },
            new("overlap with another key", run => StartEarly(run, 7, 6)) { Promise = OrderPromise.Key },
            new(
                "overlap at the other sink",
                run =>
                {
                    run.Prefetch();
                    MoveBefore(run, run.BlobAt(run.Of(0, 7), WriteMoment.Begun), run.BlobAt(run.Of(0, 6)));
                },
                "overlapPartition"
            )
            {
                Promise = OrderPromise.Partition,
            },
            new(
                "a replay out of order",
                run =>
                {
                    run.WithoutCheckpoints();
                    run.Journal.Add(run.Of(0, 6).Attach("link-1"));
                    run.Journal.AddRange(MutableRun.Records(run.Of(0, 8), "link-1").Where(record => record is EventDelivered or MessageWritten));
                    run.Journal.Add(run.Of(0, 6).Attach("link-2"));
                    run.Journal.AddRange(MutableRun.Records(run.Of(0, 6), "link-2").Where(record => record is EventDelivered or MessageWritten));
                    run.CheckpointAtTheEnd();
                }
            )
            {
                Promise = OrderPromise.Partition,
            },
            new("a replay in reverse order by one owner", run => Replay(run, 8, 7), "orderStartPartition", "orderEndPartition", "overlapPartition")
            {
                Promise = OrderPromise.Partition,
            },
            new("a replay in order by one owner", run => Replay(run, 7, 8)) { Promise = OrderPromise.Partition },
            new("a replay in reverse order within a key", run => Replay(run, 8, 6), "orderStartKey", "orderEndKey", "overlapKey")
            {
                Promise = OrderPromise.Key,
            },
            new("a replay in reverse order of two keys", run => Replay(run, 8, 7)) { Promise = OrderPromise.Key },
            new("a replay in reverse order that nobody promised", run => Replay(run, 8, 7)),
            new(
                "a replay of one while the one before is under way",
                run =>
                {
                    Replay(run, 7, 8);
                    MoveBefore(
                        run,
                        run.Journal.FindLastIndex(record =>
                            record is MessageWritten { Moment: WriteMoment.Begun } begun && begun.MessageId == run.Of(0, 8).MessageId
                        ),
                        run.Journal.FindLastIndex(record =>
                            record is MessageWritten { Moment: WriteMoment.Stored } stored && stored.MessageId == run.Of(0, 7).MessageId
                        )
                    );
                },
                "overlapPartition"
            )
            {
                Promise = OrderPromise.Partition,
            },
            new(
                "a replay in order beside late writes of the owner before",
                run =>
                {
                    // The owner before has written over its connection, and neither of these two.
                    var early = run.MessageAt(run.Of(0, 5), WriteMoment.Begun);
                    run.Journal[early] = (MessageWritten)run.Journal[early] with { Connection = "1" };
                    run.DropSinks(run.Of(0, 18));
                    run.DropSinks(run.Of(0, 19));
                    Replay(run, "2", 18, 19);
                    var at = run.Journal.FindLastIndex(static record => record is CheckpointWritten { Partition: "0" });
                    run.Journal.InsertRange(at, Copies(run, "1", 18));
                }
            )
            {
                Promise = OrderPromise.Partition,
            },
        ];

    private static void Replay(MutableRun run, params int[] sequences) => Replay(run, null, sequences);

    /// <summary>An owner is given events again, the lowest first, and writes them in another order.</summary>
    private static void Replay(MutableRun run, string? connection, params int[] sequences)
    {
        run.WithoutCheckpoints();
        run.Journal.Add(run.Of(0, sequences.Min()).Attach("link-1"));
        run.Journal.AddRange(sequences.Order().Select(sequence => run.Of(0, sequence).Deliver("link-1")));
        foreach (var sequence in sequences)
        {
            run.Journal.AddRange(Copies(run, connection, sequence).ToList());
        }

        run.CheckpointAtTheEnd();
    }

    private static IEnumerable<JournalRecord> Copies(MutableRun run, string? connection, int sequence) =>
        [
            run.Of(0, sequence).Message(WriteMoment.Begun) with
            {
                Connection = connection,
            },
            run.Of(0, sequence).Message(WriteMoment.Stored) with
            {
                Connection = connection,
            },
            .. run.BlobAt(run.Of(0, sequence)) >= 0 ? [] : Blobs(run.Of(0, sequence)),
        ];

    private static JournalRecord[] Blobs(SimulatedEvent simulated) => [simulated.Blob(WriteMoment.Begun), simulated.Blob(WriteMoment.Stored)];

    private static void Swap(MutableRun run, int first, int second, Func<JournalRecord, bool> which)
    {
        run.CheckpointAtTheEnd();
        run.Prefetch();
        run.Swap(run.Of(0, first), run.Of(0, second), which);
    }

    /// <summary>The second begins while the first is still on its way, and is stored before it.</summary>
    private static void SwapAcceptances(MutableRun run, int first, int second)
    {
        run.Prefetch();
        MoveBefore(run, run.MessageAt(run.Of(0, second), WriteMoment.Begun), run.MessageAt(run.Of(0, first)));
        Swap(run, first, second, Accepted);
    }

    private static void BeginBefore(MutableRun run, int sequence, int previous)
    {
        run.Prefetch();
        MoveBefore(run, run.MessageAt(run.Of(0, sequence), WriteMoment.Begun), run.MessageAt(run.Of(0, previous), WriteMoment.Begun));
    }

    /// <summary>Lets an event begin just before the one before it is complete.</summary>
    private static void StartEarly(MutableRun run, int sequence, int previous)
    {
        run.Prefetch();
        MoveBefore(run, run.MessageAt(run.Of(0, sequence), WriteMoment.Begun), run.BlobAt(run.Of(0, previous)));
    }

    private static void MoveBefore(MutableRun run, int from, int to)
    {
        var record = run.Journal[from];
        run.Journal.RemoveAt(from);
        run.Journal.Insert(to, record);
    }

    private static bool AtSink(JournalRecord record) => record is MessageWritten or BlobWritten;

    private static bool Accepted(JournalRecord record) => record is MessageWritten { Moment: WriteMoment.Stored };
}
