using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Single rules of the verdict, each by a journal that only this rule distinguishes from a good one.</summary>
public sealed class DirectTests
{
    [Fact]
    public void A_checkpoint_is_ahead_of_an_event_that_expires_only_afterwards()
    {
        var run = WithoutMiddle();
        run.Journal.Add(run.Of(0, 9).Checkpoint("other"));
        run.Journal.Add(Expired(run));

        Assert.Contains(run.Judge().Charges, charge => charge.Field == "checkpointAhead" && charge.Example.Contains("sequence 7", StringComparison.Ordinal));
    }

    [Fact]
    public void A_checkpoint_may_pass_an_event_that_has_expired()
    {
        var run = WithoutMiddle();
        run.Journal.Add(Expired(run));
        run.CheckpointAtTheEnd();

        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);
    }

    [Fact]
    public void A_fault_that_pushes_an_event_again_leaves_the_reader_where_it_was()
    {
        var run = new MutableRun(OrderPromise.None);
        var again = run.Of(0, 3);
        run.Journal.Add(new FaultInjected("twice", "eventDeliver", "duplicate", $"{GoodRun.Hub}/{GoodRun.Group}/0/{again.Offset}"));
        run.Journal.Add(again.Deliver("link-0"));
        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);

        run.Journal.Add(run.Of(0, 4).Deliver("link-0"));

        var charge = Assert.Single(run.Judge().Charges);
        Assert.Equal(("accounting", 1), (charge.Field, charge.Count));
    }

    [Theory]
    [InlineData("Sha256")]
    [InlineData("Length")]
    public void A_dead_letter_whose_metadata_differs_from_its_bytes_is_corrupt(string field)
    {
        var run = WithoutMiddle();
        var letter = run.Middle.DeadLetter();
        var other = field == "Length" ? "1" : SimulatedEvent.Hash("other");
        run.Journal.Add(letter with { Metadata = new Dictionary<string, string>(letter.Metadata!) { [field] = other } });
        run.CheckpointAtTheEnd();

        var charge = Assert.Single(run.Judge().Charges);
        Assert.Equal("corrupt", charge.Field);
        Assert.EndsWith("among the dead letters it differs in hash or length in its metadata", charge.Example, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(10_000_000, 0, 0)]
    [InlineData(9_999_999, 0, 1)]
    [InlineData(10_000_000, 1_000_000, 0)]
    [InlineData(10_000_000, 1_000_001, 1)]
    public void A_writer_that_paused_may_not_have_read_the_answers_to_its_writes_in_flight(long silence, long answeredBefore, int charged)
    {
        var run = new MutableRun(OrderPromise.None);
        run.Redeliver();
        const long Begun = 1_000_000_000;
        MessageWritten Record(SimulatedEvent simulated, WriteMoment moment, long after) =>
            simulated.Message(moment) with
            {
                Connection = "1",
                Microseconds = Begun + after,
            };

        var last = Record(run.Of(0, 8), WriteMoment.Begun, answeredBefore);
        JournalRecord[] first = [Record(run.Middle, WriteMoment.Begun, 0), Record(run.Middle, WriteMoment.Stored, 0)];
        var answer = Record(run.Middle, WriteMoment.Answered, 0);
        run.Journal.AddRange([.. first, answer, last]);
        foreach (var moment in new[] { WriteMoment.Begun, WriteMoment.Stored, WriteMoment.Answered })
        {
            run.Journal.Add(Record(run.Middle, moment, answeredBefore + silence));
        }

        run.CheckpointAtTheEnd();

        Assert.Equal(charged, run.Judge().Charges.Count(static charge => charge.Field == "duplicateServiceBus"));
    }

    [Theory]
    [InlineData(10_000_000, 0, 0)]
    [InlineData(9_999_999, 0, 1)]
    [InlineData(10_000_000, 1_000_000, 0)]
    [InlineData(10_000_000, 1_000_001, 1)]
    public void A_writer_that_paused_gives_up_writes_that_had_not_left_its_process(long silence, long begunAfter, int charged)
    {
        var run = new MutableRun(OrderPromise.None);
        run.Redeliver();
        const long Start = 1_000_000_000;
        MessageWritten Record(SimulatedEvent simulated, WriteMoment moment, long after) =>
            simulated.Message(moment) with
            {
                Connection = "1",
                Microseconds = Start + after,
            };

        WriteMoment[] moments = [WriteMoment.Begun, WriteMoment.Stored, WriteMoment.Answered];
        run.Journal.Add(Record(run.Of(0, 8), WriteMoment.Begun, 0));
        run.Journal.Add(Record(run.Of(0, 9), WriteMoment.Begun, silence));
        for (var copy = 0; copy < 2; copy++)
        {
            run.Journal.AddRange(moments.Select(moment => Record(run.Middle, moment, silence + begunAfter)));
        }

        run.CheckpointAtTheEnd();

        Assert.Equal(charged, run.Judge().Charges.Count(static charge => charge.Field == "duplicateServiceBus"));
    }

    /// <summary>The event in the middle is neither delivered nor written, and nothing is checkpointed.</summary>
    private static MutableRun WithoutMiddle()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Scope = run.Scope with { AcceptsExpired = true };
        run.DropSinks(run.Middle);
        run.WithoutCheckpoints();
        return run;
    }

    private static EventExpired Expired(MutableRun run)
    {
        run.Journal.RemoveAll(record => record is EventDelivered delivered && delivered.Partition == "0" && delivered.Sequence == run.Middle.Sequence);
        return new EventExpired(GoodRun.Hub, run.Middle.Partition, run.Middle.Sequence);
    }
}
