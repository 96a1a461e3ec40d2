using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Storage;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.EventHubs;

public sealed class PartitionLogTests
{
    private readonly VirtualClock _clock = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_log_agrees_with_a_list_for_any_appends_and_reads(bool leavesMemory)
    {
        var body = new string('x', leavesMemory ? 500 : 0);
        // Positive: append this number. Otherwise: read from there.
        var property = Prop.ForAll(
            ArbMap.Default.ArbFor<int[]>(),
            steps =>
            {
                var log = NewLog(leavesMemory ? SpillingMemory.Create() : null);
                var model = new List<string>();
                var next = 0;
                foreach (var step in steps)
                {
                    if (step > 0)
                    {
                        var bodies = Enumerable.Range(0, Math.Min(step, 20)).Select(_ => $"event {next++} {body}").ToArray();
                        Assert.Equal(AppendVerdict.Appended, log.TryAppend([.. bodies.Select(text => Encoded.Event(text))], null));
                        model.AddRange(bodies);
                    }
                    else
                    {
                        var from = -(long)step;
                        Assert.Equal(model.Skip((int)from).Take(5), Read(log, from, 5));
                    }
                }

                Assert.Equal(model, Read(log, 0, 10_000));
                Assert.Equal(model.Count - 1, log.State.LastSequence);
            }
        );
        Check.One(PropertyCases.Usual, property);
    }

    [Fact]
    public void An_event_carries_its_number_offset_time_and_key()
    {
        var log = NewLog();
        log.TryAppend([Encoded.Event("a"), Encoded.Event("b", "key")], null);
        var message = AmqpMessage.Decode(Stored(log, 1).Encoded);
        Assert.Equal(1L, message.MessageAnnotations!.Find(AmqpNames.SequenceNumber));
        Assert.Equal("1", message.MessageAnnotations.Find(AmqpNames.Offset));
        Assert.Equal(AmqpTimestamp.From(_clock.GetUtcNow()), message.MessageAnnotations.Find(AmqpNames.EnqueuedTime));
        Assert.Equal("key", message.MessageAnnotations.Find(AmqpNames.PartitionKey));
        Assert.Equal("b", Encoded.GetText(message));
    }

    [Fact]
    public void Delivery_annotations_go_between_header_and_the_rest()
    {
        var log = NewLog();
        log.TryAppend([Encoded.Event("a")], null);
        var message = AmqpMessage.Decode(Stored(log, 0).WithDeliveryAnnotations(new AmqpMap { { new AmqpSymbol("last"), 7L } }));
        Assert.Equal(7L, message.DeliveryAnnotations!.Find("last"));
        Assert.Equal("a", Encoded.GetText(message));
    }

    [Fact]
    public void An_empty_partition_reports_that_it_is_empty()
    {
        var state = NewLog().State;
        Assert.Equal((-1, -1, "-1", 0), (state.FirstSequence, state.LastSequence, state.LastOffset, state.LastEnqueuedMilliseconds));
        Assert.True(state.IsEmpty);
    }

    [Fact]
    public void Nothing_is_appended_beyond_the_memory_limit()
    {
        var budget = new MemoryBudget(2_000);
        var log = new PartitionLog("0", new HubSettings("hub"), budget, _clock);
        Assert.Equal(AppendVerdict.Appended, log.TryAppend([Encoded.Event(new string('x', 500))], null));
        Assert.Equal(AppendVerdict.OverMemory, log.TryAppend([Encoded.Event(new string('x', 500))], null));
        Assert.Equal(0, log.State.LastSequence);
        Assert.Equal(AppendVerdict.Appended, log.TryAppend([Encoded.Event("x")], null));
    }

    [Fact]
    public void Nothing_is_appended_when_it_cannot_be_journalled()
    {
        var budget = new MemoryBudget(10_000);
        var log = new PartitionLog("0", new HubSettings("hub"), budget, _clock);
        Assert.Throws<IOException>(() => log.TryAppend([Encoded.Event("x")], static _ => throw new IOException("disk full")));
        Assert.True(log.State.IsEmpty);
        Assert.Equal(AppendVerdict.Appended, log.TryAppend([Encoded.Event("y")], null));
        Assert.Equal(["y"], Read(log, 0, 10));
    }

    [Fact]
    public void Time_never_goes_back_within_a_partition()
    {
        var log = NewLog();
        log.TryAppend([Encoded.Event("a")], null);
        var earlier = new PartitionLog("0", new HubSettings("hub"), new MemoryBudget(1 << 20), new VirtualClock(DateTimeOffset.UnixEpoch));
        earlier.TryAppend([Encoded.Event("a")], null);
        _clock.Advance(TimeSpan.FromSeconds(1));
        log.TryAppend([Encoded.Event("b")], null);
        Assert.True(Stored(log, 1).EnqueuedMilliseconds > Stored(log, 0).EnqueuedMilliseconds);
    }

    [Theory]
    [InlineData("amqp.annotation.x-opt-offset > '-1'", 0)]
    [InlineData("amqp.annotation.x-opt-offset >= '-1'", 0)]
    [InlineData("amqp.annotation.x-opt-offset > '@latest'", 10)]
    [InlineData("amqp.annotation.x-opt-offset > @latest", 10)]
    [InlineData("amqp.annotation.x-opt-offset > '3'", 4)]
    [InlineData("amqp.annotation.x-opt-offset >= 3", 3)]
    [InlineData("amqp.annotation.x-opt-sequence-number > '3'", 4)]
    [InlineData("amqp.annotation.x-opt-sequence-number >= 3", 3)]
    [InlineData("amqp.annotation.x-opt-sequence-number > 9", 10)]
    [InlineData("amqp.annotation.x-opt-sequence-number >= 10", 10)]
    public void A_reader_starts_at_the_position_of_its_filter(string selector, long expected)
    {
        var log = TenSecondsOfEvents();
        Assert.Equal(expected, log.Resolve(StartPosition.Parse(selector)!.Value, out _));
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 1)]
    [InlineData(2_500, 3)]
    [InlineData(3_000, 4)]
    [InlineData(60_000, 10)]
    public void A_reader_starts_after_an_enqueued_time(long milliseconds, long expected)
    {
        var began = _clock.GetUtcNow().ToUnixTimeMilliseconds();
        var log = TenSecondsOfEvents();
        var position = StartPosition.Parse($"amqp.annotation.x-opt-enqueued-time > {began + milliseconds}")!.Value;
        Assert.Equal(expected, log.Resolve(position, out _));
    }

    [Theory]
    [InlineData("amqp.annotation.x-opt-offset > '10'", "offset '10'")]
    [InlineData("amqp.annotation.x-opt-sequence-number >= 11", "sequence number '11'")]
    public void A_position_beyond_the_end_is_refused(string selector, string named)
    {
        Assert.Null(TenSecondsOfEvents().Resolve(StartPosition.Parse(selector)!.Value, out var problem));
        Assert.Contains(named, problem, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("x-opt-offset > 1")]
    [InlineData("amqp.annotation.x-opt-offset < 1")]
    [InlineData("amqp.annotation.x-opt-offset > 'abc'")]
    [InlineData("amqp.annotation.other > 1")]
    public void Any_other_filter_is_not_understood(string selector) => Assert.Null(StartPosition.Parse(selector));

    private PartitionLog NewLog(MemoryBudget? budget = null) => new("0", new HubSettings("hub"), budget ?? new MemoryBudget(1 << 30), _clock);

    private PartitionLog TenSecondsOfEvents()
    {
        var log = NewLog();
        for (var i = 0; i < 10; i++)
        {
            log.TryAppend([Encoded.Event($"{i}")], null);
            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        return log;
    }

    private static StoredEvent Stored(PartitionLog log, long sequence)
    {
        var events = new StoredEvent[1];
        Assert.Equal(1, log.Read(sequence, events));
        return events[0];
    }

    private static string[] Read(PartitionLog log, long from, int count)
    {
        var events = new StoredEvent[count];
        return events.Take(log.Read(from, events)).Select(static stored => Encoded.GetText(AmqpMessage.Decode(stored.Encoded))).ToArray();
    }
}
