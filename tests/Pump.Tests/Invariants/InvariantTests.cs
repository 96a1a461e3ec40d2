using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Invariants;

/// <summary>Each invariant that is checked during a run is breached here intentionally. The message names where.</summary>
public sealed class InvariantTests : IDisposable
{
    private readonly ProcessingFaults faults = new();
    private readonly DeliveredEvents delivered = new(sinks: 2);
    private readonly VirtualClock clock = new();
    private readonly ScriptedCheckpoints store = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Message => Assert.Single(faults.All, fault => fault.Kind == ProcessingFaultKind.InvariantBreached).Message;

    [Fact]
    public async Task I2_stops_a_checkpoint_that_would_pass_an_event_one_sink_lacks()
    {
        // A watermark with an acknowledgement that no sink gave.
        var watermark = new EventTracker(2, TimeProvider.System);
        watermark.TryHandOver(Some.Batch(4, first: 40).Events, out _);
        delivered.Add(Some.Batch(4, first: 40).Events);
        Complete(40);
        delivered.Acknowledge(41, 0);
        for (var sequence = 40; sequence < 43; sequence++)
        {
            watermark.Acknowledge(sequence, 0);
            watermark.Acknowledge(sequence, 1);
        }

        var checks = Checks(window: 10, replay: 10);
        var writer = new CheckpointWriter(watermark, store.CheckpointAsync, new RetryRule { Jitter = () => 1 }, clock) { Check = checks.Storing };

        await Assert.ThrowsAsync<ProcessingFaultException>(() => writer.FlushAsync(Cancellation));

        Assert.Equal(
            "checkpoint 42 of partition 0 would pass event 41, which is not complete "
                + "(39 complete or unknown, 40 complete or unknown, 41 at 1 of 2 sinks, 42 open, 43 open)",
            Message
        );
        Assert.Empty(store.Attempted);
    }

    [Fact]
    public void I2_stops_a_checkpoint_beyond_what_was_delivered()
    {
        delivered.Add(Some.Batch(2).Events);
        Complete(0, 1);

        Assert.Throws<ProcessingFaultException>(() => Checks(window: 10, replay: 10).Storing(new EventPosition(2, "2")));

        Assert.Equal("checkpoint 2 of partition 0 is beyond 1, the newest event delivered", Message);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void I3_stops_a_checkpoint_that_does_not_rise(long position)
    {
        delivered.Add(Some.Batch(4).Events);
        Complete(0, 1, 2, 3);
        var checks = Checks(window: 10, replay: 10);
        checks.Storing(new EventPosition(2, "2"));
        checks.CheckpointStored(new EventPosition(2, "2"), 3, TimeSpan.Zero);

        Assert.Throws<ProcessingFaultException>(() => checks.Storing(new EventPosition(position, "x")));

        Assert.StartsWith($"checkpoint {position} of partition 0 is not above 2, stored before it (", Message, StringComparison.Ordinal);
    }

    [Fact]
    public void I2_and_I3_let_a_failed_write_be_repeated_and_a_dead_letter_be_passed()
    {
        delivered.Add(Some.Batch(3).Events);
        Complete(0, 2);
        delivered.DeadLetter(1);
        var checks = Checks(window: 10, replay: 10);

        checks.Storing(new EventPosition(2, "2"));
        checks.Storing(new EventPosition(2, "2"));

        Assert.Empty(faults.All);
    }

    [Fact]
    public void I7_names_the_count_that_differs()
    {
        AccountCheck.AtTheEnd("0", new CompletionCounts(10, 10, 10), faults);
        Assert.Empty(faults.All);

        AccountCheck.AtTheEnd("0", new CompletionCounts(10, 10, 9), faults);

        Assert.Equal("complete events of partition 0 do not add up: 10 by the low watermark, 10 by the sinks, 9 by the metrics", Message);
    }

    [Fact]
    public void I9_stops_a_session_that_hands_over_beyond_the_window()
    {
        var checks = Checks(window: 2, replay: 10);
        checks.HandedOver(Some.Batch(2).Events, outstanding: 2);

        Assert.Throws<ProcessingFaultException>(() => checks.HandedOver(Some.Batch(1, first: 2).Events, outstanding: 3));

        Assert.Equal("3 events above the low watermark of partition 0 with event 2, the window allows 2 (0 open, 1 open, 2 open)", Message);
    }

    [Fact]
    public void I9_stops_a_session_that_hands_over_beyond_the_replay_limit()
    {
        var checks = Checks(window: 2, replay: 10);
        for (var batch = 0; batch < 6; batch++)
        {
            checks.HandedOver(Some.Batch(2, first: 2 * batch).Events, outstanding: 2);
            if (batch == 0)
            {
                checks.CheckpointStored(new EventPosition(1, "1"), events: 2, TimeSpan.Zero);
            }
        }

        Assert.Throws<ProcessingFaultException>(() => checks.HandedOver(Some.Batch(1, first: 12).Events, outstanding: 2));

        Assert.StartsWith(
            "11 events above the confirmed checkpoint of partition 0 with event 12, the replay limit allows 10",
            Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_strategy_that_has_more_events_in_flight_than_its_degree_is_stopped_unless_that_bounds_operations()
    {
        Checks(window: 100, replay: 100, "batched").Begun(Some.Event(0), inFlight: 17);
        Assert.Empty(faults.All);

        Assert.Throws<ProcessingFaultException>(() => Checks(window: 100, replay: 100, "outloop").Begun(Some.Event(0), inFlight: 17));

        Assert.Equal("17 events in flight on partition 0 with event 0, the degree allows 16", Message);
    }

    [Fact]
    public async Task Operations_of_one_event_and_of_several_are_under_way_up_to_the_degree_until_their_last_event_has_ended()
    {
        var sink = new OpenSink();
        var check = new OperationCheck(sink, "0", degree: 2, faults);
        var single = check.WriteAsync(Some.Event(0), CancellationToken.None).AsTask();
        var several = check.StartBatch(Some.Batch(2, first: 1).Events, CancellationToken.None);
        sink.Ends[1].SetResult(default);
        await several[0];

        // The second of two is still there.
        var refused = check.StartBatch(Some.Batch(2, first: 3).Events, CancellationToken.None);

        Assert.All(refused, write => Assert.IsType<ProcessingFaultException>(write.Exception?.InnerException));
        Assert.Equal("3 operations in flight at open on partition 0 with event 3, the degree allows 2", Message);
        await Assert.ThrowsAsync<ProcessingFaultException>(() => check.WriteAsync(Some.Event(5), CancellationToken.None).AsTask());
        sink.Ends[2].SetException(new IOException("refused"));
        await Assert.ThrowsAsync<IOException>(() => several[1]);
        var next = check.WriteAsync(Some.Event(6), CancellationToken.None).AsTask();
        sink.Ends[0].SetResult(default);
        sink.Ends[6].SetResult(default);
        await single;
        await next;
    }

    public void Dispose() => store.Dispose();

    private RunningChecks Checks(int window, long replay, string strategy = "outloop") =>
        new("0", StrategyCatalog.Find(strategy), degree: 16, new DispatchLimits { Window = window, Replay = replay }, delivered, faults);

    private void Complete(params long[] sequences)
    {
        foreach (var sequence in sequences)
        {
            delivered.Acknowledge(sequence, 0);
            delivered.Acknowledge(sequence, 1);
        }
    }

    // Its writes end when the test requests it, by their sequence numbers.
    private sealed class OpenSink : ITrackedSink
    {
        public Dictionary<long, TaskCompletionSource<WriteOutcome>> Ends { get; } = [];

        public string Name => "open";

        public int LargestBatch => 10;

        public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            Ends[receivedEvent.SequenceNumber] = new TaskCompletionSource<WriteOutcome>();
            return new ValueTask<WriteOutcome>(Ends[receivedEvent.SequenceNumber].Task);
        }

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
