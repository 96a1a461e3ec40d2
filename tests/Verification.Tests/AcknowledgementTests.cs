using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Runs of a handler alone, which only the consumer's record shows.</summary>
public sealed class AcknowledgementTests
{
    [Fact]
    public void A_run_of_a_handler_alone_is_judged_by_its_acknowledgements()
    {
        var run = GetRun(out _);

        var verdict = run.Judge();

        Assert.Equal("verdict: clean (40 of 40 acknowledged by the handler in the consumer's own record, 8 checkpoints never ahead)", verdict.Summary);
        Assert.Contains("corrupt", verdict.NotJudged);
        Assert.Contains("replayBound", verdict.NotJudged);
    }

    [Fact]
    public void An_event_that_is_not_acknowledged_is_lost_and_the_checkpoint_after_it_is_ahead()
    {
        var run = GetRun(out var lines);
        lines.RemoveAll(line => Is(line, run.Middle));

        var verdict = run.Judge();

        Assert.Equal(["lost", "checkpointAhead"], verdict.Charges.Select(static charge => charge.Field));
        Assert.Equal((1L, 3L), (verdict.Lost, verdict.CheckpointAhead));
        Assert.EndsWith("not acknowledged by every handler", verdict.Charges[0].Example, StringComparison.Ordinal);
    }

    [Fact]
    public void A_checkpoint_that_began_before_an_acknowledgement_is_ahead()
    {
        var run = GetRun(out var lines);
        var late = lines.FindIndex(line => Is(line, run.Middle));
        var moved = lines[late];
        lines.RemoveAt(late);
        lines.Insert(lines.FindIndex(line => line is { Handler: null, Partition: "0", Sequence: 9 }) + 1, moved);

        var verdict = run.Judge();

        Assert.Equal(["checkpointAhead"], verdict.Charges.Select(static charge => charge.Field));
        Assert.Equal("partition 0 sequence 7: not acknowledged when checkpoint 9 was about to be stored", verdict.Charges[0].Example);
        Assert.Equal(0, verdict.Lost);
    }

    [Fact]
    public void A_checkpoint_that_the_record_lacks_leaves_the_verdict_undecided()
    {
        var run = GetRun(out var lines);
        lines.RemoveAll(static line => line is { Handler: null, Partition: "1", Sequence: 4 });

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Undecided, "a stored checkpoint is not in the record of acknowledgements"), (verdict.Outcome, verdict.Reasons.Single()));
    }

    [Fact]
    public void A_checkpoint_that_began_and_was_never_stored_is_judged_and_needs_no_journal()
    {
        var run = GetRun(out var lines);
        lines.Add(new Acknowledgement(0, "0", 19, null));

        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);
    }

    [Fact]
    public void Each_handler_must_acknowledge_each_event()
    {
        var run = GetRun(out _);
        run.Scope = run.Scope with { Handlers = ["mine", "other"] };

        Assert.Equal(40, run.Judge().Lost);
    }

    [Fact]
    public void Repeated_acknowledgements_change_nothing()
    {
        var run = GetRun(out var lines);
        lines.AddRange([.. lines.Where(static line => line.Handler is not null)]);

        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);
    }

    [Theory]
    [InlineData("0", 20)]
    [InlineData("7", 0)]
    public void An_acknowledgement_of_an_event_that_was_never_appended_is_charged(string partition, int sequence)
    {
        var run = GetRun(out var lines);
        lines.Add(new Acknowledgement(0, partition, sequence, "mine"));

        Assert.Equal(["unexpected"], run.Judge().Charges.Select(static charge => charge.Field));
    }

    [Fact]
    public void An_acknowledgement_of_an_event_that_was_never_delivered_is_charged()
    {
        var run = GetRun(out _);
        run.Journal.RemoveAll(record => record is EventDelivered delivered && delivered.Partition == "0" && delivered.Sequence == 7);

        Assert.Contains("accounting", run.Judge().Charges.Select(static charge => charge.Field));
    }

    [Fact]
    public void The_order_of_acknowledgements_is_judged()
    {
        var run = GetRun(out var lines, OrderPromise.Partition);
        var (first, second) = (lines.FindIndex(line => Is(line, run.Of(0, 6))), lines.FindIndex(line => Is(line, run.Of(0, 7))));
        (lines[first], lines[second]) = (lines[second], lines[first]);

        var charge = run.Judge().Charges.Single();

        Assert.Equal(("orderEndPartition", "partition 0 sequence 6: it was acknowledged after a later event"), (charge.Field, charge.Example));
    }

    [Fact]
    public void Without_a_record_the_verdict_is_undecided()
    {
        var run = GetRun(out _);
        run.WithoutCheckpoints();
        run.Scope = run.Scope with { Acknowledgements = null };

        var verdict = run.Judge();

        Assert.Equal(VerdictOutcome.Undecided, verdict.Outcome);
        Assert.Contains("there is no record of what the handlers acknowledged", verdict.Reasons);
    }

    [Fact]
    public void Events_beyond_the_checkpoints_of_a_run_with_a_fixed_length_are_not_claimed()
    {
        var run = GetRun(out var lines);
        run.Scope = run.Scope with { UpToCheckpoint = true };
        run.Journal.RemoveAll(static record => record is CheckpointWritten { Partition: "0" } stored && stored.Sequence == "19");
        lines.RemoveAll(line => line.Partition == "0" && line.Sequence > 16);

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Pass, 3L), (verdict.Outcome, verdict.Unclaimed));
    }

    // The acknowledgements of a good run, in its order. The record of the sinks is removed.
    private static MutableRun GetRun(out List<Acknowledgement> lines, OrderPromise promise = OrderPromise.None)
    {
        var run = new MutableRun(promise);
        List<Acknowledgement> made = [];
        foreach (var one in run.Events)
        {
            made.Add(new Acknowledgement(0, one.Partition, one.Sequence, "mine"));
            if (one.Sequence % 5 == 4)
            {
                made.Add(new Acknowledgement(0, one.Partition, one.Sequence, null));
            }
        }

        run.Journal.RemoveAll(static record => record is MessageWritten or BlobWritten);
        run.Scope = run.Scope with { Sinks = SinkSet.Handlers, Handlers = ["mine"], Acknowledgements = Numbered(made) };
        lines = made;
        return run;
    }

    private static IEnumerable<Acknowledgement> Numbered(List<Acknowledgement> lines)
    {
        for (var place = 0; place < lines.Count; place++)
        {
            yield return lines[place] with
            {
                Line = place + 1,
            };
        }
    }

    private static bool Is(Acknowledgement line, SimulatedEvent one) =>
        line.Handler is not null && line.Partition == one.Partition && line.Sequence == one.Sequence;
}
