using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

public sealed class EventTrackerTests
{
    private readonly Completions completions = new();
    private readonly EventTracker watermark;

    public EventTrackerTests() => watermark = new EventTracker(2, TimeProvider.System, completions);

    [Theory]
    [InlineData(0)]
    [InlineData(32)]
    public void Has_one_to_31_sinks(int sinks) => Assert.Throws<ArgumentOutOfRangeException>(() => new EventTracker(sinks, TimeProvider.System));

    [Fact]
    public void An_event_is_unknown_before_its_delivery()
    {
        Assert.Equal(TrackResult.Unknown, watermark.Begin(0, 0, stopping: false));
        Assert.Equal(TrackResult.Unknown, watermark.Acknowledge(0, 0));
    }

    [Fact]
    public void Has_no_position_before_the_first_event_is_complete()
    {
        Register(5, 6);
        watermark.Acknowledge(6, 0);
        watermark.Acknowledge(6, 1);
        watermark.Acknowledge(5, 0);

        Assert.Null(watermark.Read());
        Assert.Equal(-1, watermark.Watermark);
        Assert.Equal(-1, Assert.Single(completions.All).Watermark);
    }

    [Fact]
    public void The_position_stops_before_an_event_that_one_sink_has_not_acknowledged()
    {
        Register(5, 6, 7);
        Complete(5);
        watermark.Acknowledge(6, 0);
        Complete(7);

        Assert.Equal(5, watermark.Read()!.Value.Position.SequenceNumber);
    }

    [Fact]
    public void Passes_everything_that_is_complete_when_the_gap_closes()
    {
        Register(5, 6, 7);
        Complete(7);
        Complete(6);

        Assert.Equal(TrackResult.Completed, Complete(5));

        Assert.Equal([(7L, 0), (6L, 0), (5L, 3)], completions.All.Select(completion => (completion.Sequence, completion.Passed)));
        Assert.Equal(7, watermark.Read()!.Value.Position.SequenceNumber);
        Assert.Equal("@700", watermark.Read()!.Value.Position.Offset);
        Register(8);
        Assert.Equal(TrackResult.Completed, Complete(8));
        Assert.Equal(1, completions.All[^1].Passed);
    }

    [Fact]
    public void Takes_the_next_event_delivered_for_the_next_one_when_the_log_has_gaps()
    {
        Register(5, 90, 4_000_000_000);
        Complete(5);
        Complete(90);

        Assert.Equal(90, watermark.Read()!.Value.Position.SequenceNumber);
    }

    [Fact]
    public void Counts_an_acknowledgement_of_the_same_sink_once()
    {
        Register(5);
        watermark.Acknowledge(5, 0);

        Assert.Equal(TrackResult.Repeated, watermark.Acknowledge(5, 0));
        Assert.Null(watermark.Read());
    }

    [Fact]
    public void An_event_that_was_never_delivered_is_distinguished_from_one_that_was_passed()
    {
        Register(5);
        Complete(5);

        Assert.Equal(TrackResult.Repeated, watermark.Acknowledge(5, 0));
        Assert.Equal(TrackResult.Unknown, watermark.Acknowledge(6, 0));
        Assert.Equal(TrackResult.Repeated, watermark.Begin(5, 0, stopping: false));
        Assert.Equal(TrackResult.Unknown, watermark.Begin(6, 0, stopping: false));
    }

    [Fact]
    public void Counts_the_events_that_were_not_complete_when_it_passes_over_a_batch()
    {
        Register(5, 6, 7);
        Complete(6);

        Assert.Equal(2, watermark.PassOver());
        Assert.Equal(7, watermark.Read()!.Value.Position.SequenceNumber);
        Assert.Equal(0, watermark.PassOver());
    }

    [Theory]
    [InlineData(EventState.Failed)]
    [InlineData(EventState.Cancelled)]
    internal void Does_not_pass_an_event_that_was_given_up(EventState state)
    {
        Register(5, 6);
        watermark.Acknowledge(5, 0);
        watermark.Abandon(5, state);
        Complete(6);

        Assert.Null(watermark.Read());
        Assert.Equal(new UnfinishedEvents(1, 5, state == EventState.Cancelled ? 1 : 0), watermark.Unfinished());
    }

    [Fact]
    public void Passes_an_event_that_failed_once_and_was_acknowledged_by_every_sink_after_all()
    {
        Register(5);
        watermark.Abandon(5, EventState.Failed);
        Complete(5);

        Assert.Equal(5, watermark.Read()!.Value.Position.SequenceNumber);
    }

    [Fact]
    public void Passes_a_dead_letter_once_every_other_sink_has_the_event_or_has_given_it_up()
    {
        Register(5, 6, 7);
        watermark.Acknowledge(5, 0);
        Complete(6);

        Assert.Equal(TrackResult.Completed, watermark.DeadLetter(5, 1));
        Assert.Equal((2, true), (completions.All[^1].Passed, completions.All[^1].DeadLettered));
        Assert.Equal(6, watermark.Read()!.Value.Position.SequenceNumber);
        Assert.Equal(TrackResult.Recorded, watermark.DeadLetter(7, 1));
        Assert.Equal((1, 2L), (watermark.Outstanding, watermark.Passed));
        Assert.Equal(TrackResult.Completed, watermark.DeadLetter(7, 0));
        Assert.Equal((0, 3L), (watermark.Outstanding, watermark.Passed));
    }

    [Fact]
    public void Completes_an_event_once_whether_it_is_written_or_dead_lettered_first()
    {
        Register(5, 6, 7);
        Complete(6);
        watermark.DeadLetter(7, 0);

        Assert.Equal(TrackResult.Repeated, watermark.DeadLetter(6, 0));
        Assert.Equal(TrackResult.Repeated, watermark.Acknowledge(7, 0));
        Assert.Equal(TrackResult.Completed, watermark.Acknowledge(7, 1));
        Assert.Equal(TrackResult.Repeated, watermark.DeadLetter(7, 1));
        Assert.True(completions.All[^1].DeadLettered);
        Assert.Null(watermark.Read());
    }

    [Fact]
    public void The_beginning_of_a_complete_event_is_refused_as_repeated()
    {
        Register(5, 6);
        Complete(6);

        Assert.Equal(TrackResult.Repeated, watermark.Begin(6, 0, stopping: false));
        Assert.Equal(0, watermark.InFlight);
    }

    [Theory]
    [InlineData(EventState.Failed)]
    [InlineData(EventState.Cancelled)]
    internal void Counts_what_was_given_up_neither_as_completed_nor_as_in_flight(EventState state)
    {
        Register(5, 6);
        watermark.Begin(5, 0, stopping: false);
        watermark.Begin(6, 0, stopping: false);

        watermark.Abandon(5, state);

        Assert.Equal((0L, 1), (watermark.Completed, watermark.InFlight));
        Assert.Equal(6, watermark.Unfinished(onlyInFlight: true).First);
    }

    [Fact]
    public void Takes_an_event_out_of_flight_once()
    {
        Register(5, 6, 7);
        watermark.Begin(5, 0, stopping: false);
        watermark.Begin(6, 0, stopping: false);
        watermark.Abandon(5, EventState.Failed);
        watermark.Acknowledge(5, 0);
        watermark.DeadLetter(5, 1);
        watermark.DeadLetter(7, 0);
        watermark.DeadLetter(7, 1);

        Assert.Equal((2L, 1), (watermark.Completed, watermark.InFlight));
    }

    [Fact]
    public void Events_in_flight_are_distinguished_from_events_that_were_only_delivered()
    {
        Register(5, 6, 7, 8);
        watermark.Begin(6, 0, stopping: false);
        watermark.Begin(7, 0, stopping: false);
        Complete(7);

        Assert.Equal(new UnfinishedEvents(1, 6, 0), watermark.Unfinished(onlyInFlight: true));
        Assert.Equal(new UnfinishedEvents(3, 5, 0), watermark.Unfinished());
    }

    [Fact]
    public void Refuses_an_event_delivered_twice_or_out_of_order()
    {
        Register(5, 6);

        Assert.False(watermark.TryHandOver([Some.Event(6)], out var offender));
        Assert.Equal(6, offender);
        Assert.True(watermark.TryHandOver([Some.Event(7)], out var none));
        Assert.Equal(-1, none);
    }

    [Fact]
    public void Drops_and_counts_what_comes_after_the_incarnation_is_over()
    {
        Register(5);
        watermark.Acknowledge(5, 0);
        watermark.Close();

        Assert.Equal(TrackResult.Closed, watermark.Acknowledge(5, 1));
        Assert.Null(watermark.Read());
        Assert.Equal(1, watermark.Late);
    }

    [Fact]
    public void The_tracker_does_not_change_after_the_end_of_the_incarnation()
    {
        Register(5, 6, 7);
        watermark.Begin(5, 0, stopping: false);
        watermark.Begin(6, 0, stopping: false);
        watermark.Close();

        Assert.True(watermark.IsClosed);
        Assert.Equal(TrackResult.Closed, watermark.Begin(7, 0, stopping: false));
        Assert.Equal(TrackResult.Closed, watermark.DeadLetter(5, 0));
        watermark.Abandon(5, EventState.Cancelled);
        watermark.Abandon(6, EventState.Cancelled);

        Assert.Equal((2, 1L), (watermark.InFlight, watermark.Late));
        Assert.Equal(new UnfinishedEvents(3, 5, 0), watermark.Unfinished());
    }

    [Fact]
    public void Counts_an_event_in_flight_once_however_many_sinks_write_it()
    {
        Register(5, 6);
        watermark.Begin(5, 10, stopping: false);
        watermark.Begin(5, 20, stopping: false);
        watermark.Begin(6, 30, stopping: false);

        Assert.Equal([(5L, 1), (6L, 2)], completions.Begins);
        watermark.Acknowledge(5, 0);
        Assert.Equal(2, watermark.InFlight);
        watermark.Acknowledge(5, 1, started: 20, now: 40);
        Assert.Equal(TimeProvider.System.GetElapsedTime(10, 40), completions.All.Single().Elapsed);
        Assert.Equal(1, watermark.InFlight);
    }

    [Fact]
    public void Begins_no_event_above_those_begun_when_it_is_stopping()
    {
        Register(5, 6);
        watermark.Begin(5, 0, stopping: false);

        Assert.Equal(TrackResult.Recorded, watermark.Begin(5, 0, stopping: true));
        Assert.Equal(TrackResult.Closed, watermark.Begin(6, 0, stopping: true));
        Assert.Equal(1, watermark.InFlight);
    }

    [Fact]
    public void Leaves_no_gap_below_a_begun_event_when_it_is_stopping()
    {
        Register(5, 6, 7);
        watermark.Begin(6, 0, stopping: false);

        Assert.Equal(TrackResult.Closed, watermark.Begin(7, 0, stopping: true));
        Assert.Equal(TrackResult.Recorded, watermark.Begin(5, 0, stopping: true));
    }

    [Fact]
    public void The_tracker_refuses_new_events_after_the_first_stopping_call()
    {
        Register(5, 6, 7);
        watermark.Begin(5, 0, stopping: false);

        Assert.Equal(TrackResult.Closed, watermark.Begin(6, 0, stopping: true));
        Assert.Equal(TrackResult.Closed, watermark.Begin(7, 0, stopping: false));
    }

    [Fact]
    public void Allocates_nothing_in_the_steady_state()
    {
        var batch = Some.Batch(100).Events;
        completions.Forgets = true;
        Assert.True(watermark.TryHandOver(batch, out _));
        Round(batch[0].SequenceNumber);
        var next = 0;

        Assert.Equal(
            0,
            Allocations.GetMinimum(() =>
            {
                for (var last = next + 9; next < last; )
                {
                    Round(batch[++next].SequenceNumber);
                }
            })
        );

        void Round(long sequence)
        {
            watermark.Begin(sequence, 0, stopping: false);
            Complete(sequence);
            _ = watermark.Read();
        }
    }

    [Fact]
    public async Task Loses_no_acknowledgement_of_many_threads()
    {
        var events = Some.Batch(2_000).Events;
        Assert.True(watermark.TryHandOver(events, out _));

        await Parallel.ForEachAsync(
            Enumerable.Range(0, 4_000),
            new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = TestContext.Current.CancellationToken },
            (i, _) =>
            {
                watermark.Acknowledge(i % 2_000, i / 2_000);
                return ValueTask.CompletedTask;
            }
        );

        Assert.Equal(1_999, watermark.Read()!.Value.Position.SequenceNumber);
        Assert.Equal((0, 2_000L), (watermark.Outstanding, watermark.Passed));
    }

    private TrackResult Complete(long sequence)
    {
        watermark.Acknowledge(sequence, 0);
        return watermark.Acknowledge(sequence, 1);
    }

    private void Register(params long[] sequences) => Assert.True(watermark.TryHandOver([.. sequences.Select(sequence => Some.Event(sequence))], out _));
}
