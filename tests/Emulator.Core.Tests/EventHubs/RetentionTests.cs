using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.EventHubs;

/// <summary>What goes from a partition, and what never goes back: its numbers.</summary>
public sealed class RetentionTests
{
    private readonly VirtualClock _clock = new();
    private readonly MemoryBudget _budget = new(1 << 30);

    [Fact]
    public void Events_go_when_their_time_is_over_and_the_last_number_stays()
    {
        var log = NewLog(new HubSettings("hub") { RetentionTime = TimeSpan.FromMinutes(1) });
        Append(log, "a", "b");
        _clock.Advance(TimeSpan.FromSeconds(30));
        Append(log, "c");
        _clock.Advance(TimeSpan.FromSeconds(31));
        Assert.Equal((2L, 2L, false), (log.State.FirstSequence, log.State.LastSequence, log.State.IsEmpty));
        _clock.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal((3L, 2L, "2", true), (log.State.FirstSequence, log.State.LastSequence, log.State.LastOffset, log.State.IsEmpty));
        Assert.Equal(0, _budget.UsedBytes);
        Append(log, "d");
        Assert.Equal((3L, 3L), (log.State.FirstSequence, log.State.LastSequence));
    }

    [Theory]
    [InlineData("amqp.annotation.x-opt-offset > '-1'", 2)]
    [InlineData("amqp.annotation.x-opt-offset > '0'", 2)]
    [InlineData("amqp.annotation.x-opt-sequence-number >= 1", 2)]
    [InlineData("amqp.annotation.x-opt-sequence-number > 2", 3)]
    [InlineData("amqp.annotation.x-opt-enqueued-time > 0", 2)]
    [InlineData("amqp.annotation.x-opt-offset > '@latest'", 3)]
    [InlineData("amqp.annotation.x-opt-offset >= '@latest'", 2)]
    public void A_position_before_the_beginning_is_the_beginning(string selector, long expected)
    {
        var log = NewLog(new HubSettings("hub") { RetentionTime = TimeSpan.FromMinutes(1) });
        Append(log, "a", "b");
        _clock.Advance(TimeSpan.FromMinutes(2));
        Append(log, "c");
        Assert.Equal(expected, log.Resolve(StartPosition.Parse(selector)!.Value, out _));
    }

    [Fact]
    public void A_slow_reader_continues_with_the_oldest_retained_event()
    {
        var log = NewLog(new HubSettings("hub") { RetentionBytes = 1 });
        Append(log, "a");
        Append(log, "b");
        var events = new StoredEvent[5];
        Assert.Equal(1, log.Read(0, events));
        Assert.Equal(1, events[0].Sequence);
    }

    [Fact]
    public void The_newest_events_that_fit_are_retained_for_any_appends()
    {
        var property = Prop.ForAll(
            ArbMap.Default.ArbFor<PositiveInt[]>(),
            ArbMap.Default.ArbFor<PositiveInt>(),
            (sizes, limit) =>
            {
                var budget = new MemoryBudget(1 << 30);
                var log = new PartitionLog("0", new HubSettings("hub") { RetentionBytes = limit.Get * 200L }, budget, _clock);
                var lengths = new List<int>();
                foreach (var size in sizes)
                {
                    var next = (long)lengths.Count;
                    Append(log, new string('x', size.Get * 50 % 3_000));
                    var stored = new StoredEvent[1];
                    Assert.Equal(1, log.Read(next, stored));
                    Assert.Equal(next, stored[0].Sequence);
                    lengths.Add(stored[0].Encoded.Length);
                    var kept = lengths.Count - 1;
                    for (var bytes = lengths[kept]; kept > 0 && bytes + lengths[kept - 1] <= limit.Get * 200L; kept--)
                    {
                        bytes += lengths[kept - 1];
                    }

                    Assert.Equal(kept, log.State.FirstSequence);
                }

                log.Delete();
                Assert.Equal(0, budget.UsedBytes);
            }
        );
        Check.One(PropertyCases.Usual, property);
    }

    [Fact]
    public void Many_events_cost_little_more_than_their_bytes()
    {
        var log = NewLog(new HubSettings("hub"));
        const int Count = 20_000;
        for (var i = 0; i < Count; i++)
        {
            Append(log, new string('x', 1_024));
        }

        // The service's annotations, the entry, and the unused end of the last chunk.
        Assert.InRange(_budget.UsedBytes, 1_024L * Count, (1_024L + 190) * Count);
        Assert.Equal(Count, log.State.Count);
    }

    [Fact]
    public void The_whole_memory_can_be_used_to_the_last_kibibyte()
    {
        var budget = new MemoryBudget(3_000_000);
        var log = new PartitionLog("0", new HubSettings("hub"), budget, _clock);
        while (log.TryAppend([Encoded.Event(new string('x', 1_000))], null) == AppendVerdict.Appended) { }

        Assert.InRange(budget.UsedBytes, 2_990_000, 3_000_000);
    }

    [Fact]
    public void Every_event_is_in_the_journal_before_retention_takes_it()
    {
        var path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");
        try
        {
            using (var writer = JournalWriter.Open(path, _clock))
            {
                var journal = new EmulatorJournal(writer, []);
                var log = NewLog(
                    new HubSettings("hub") { RetentionTime = TimeSpan.FromMinutes(1) },
                    (first, next) => journal.TryExpire("hub", "0", first, next)
                );
                Append(log, [.. Enumerable.Repeat("a", 1_500)]);
                _clock.Advance(TimeSpan.FromMinutes(2));
                Append(log, "b");
                Assert.Equal(1_500, log.State.FirstSequence);
            }

            Assert.Equal(
                Enumerable.Range(0, 1_500).Select(static sequence => new EventExpired("hub", "0", sequence)),
                JournalReader.Read(path).Select(static record => record with { Tick = 0, Microseconds = 0 })
            );
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void No_operation_is_answered_without_its_record()
    {
        var takesRecords = false;
        var asked = new List<(long First, long Next)>();
        var log = NewLog(
            new HubSettings("hub") { RetentionBytes = 1 },
            (first, next) =>
            {
                asked.Add((first, next));
                return takesRecords;
            }
        );
        Append(log, "a");
        Append(log, "b");
        Assert.Equal(0, log.State.FirstSequence);
        takesRecords = true;
        Append(log, "c");
        Assert.Equal(2, log.State.FirstSequence);
        Assert.Equal((1L, 2L), asked[^1]);
    }

    private PartitionLog NewLog(HubSettings settings, Func<long, long, bool> expiring) => new("0", settings, _budget, _clock, null, expiring);

    private PartitionLog NewLog(HubSettings settings) => new("0", settings, _budget, _clock);

    private static void Append(PartitionLog log, params string[] bodies) =>
        Assert.Equal(AppendVerdict.Appended, log.TryAppend([.. bodies.Select(static body => Encoded.Event(body))], null));
}
