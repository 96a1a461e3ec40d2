using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>A run that was to end before its backlog did claims the events up to its checkpoints, and all of them are judged.</summary>
public sealed class UpToCheckpointTests
{
    private const int LastStored = 14;

    [Fact]
    public void Events_beyond_the_checkpoints_are_left_to_other_runs()
    {
        var run = Stopped();

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Pass, false), (verdict.Outcome, verdict.Finished));
        Assert.Equal((40, 30, 10, 0), (verdict.Acknowledged, verdict.Complete, verdict.Unclaimed, verdict.Lost));
        Assert.Equal(
            "verdict: clean (30 of 40 in the queue and in the container, 0 duplicates, 6 checkpoints never ahead, 10 beyond them not claimed)",
            verdict.Summary
        );
        run.Scope = run.Scope with { UpToCheckpoint = false };
        Assert.Equal(VerdictOutcome.Undecided, run.Judge().Outcome);
    }

    [Fact]
    public void A_complete_event_beyond_the_checkpoints_is_not_a_fault()
    {
        var run = Stopped();
        var beyond = run.Of(0, LastStored + 1);
        run.Journal.AddRange(MutableRun.Records(beyond));

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Pass, 31, 9), (verdict.Outcome, verdict.Complete, verdict.Unclaimed));
    }

    [Theory]
    [InlineData(7)]
    [InlineData(LastStored)]
    public void An_event_up_to_the_checkpoint_that_is_nowhere_convicts(int sequence)
    {
        var run = Stopped();
        run.DropSinks(run.Of(0, sequence));

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Fail, 1), (verdict.Outcome, verdict.Lost));
        Assert.Equal(["lost", "checkpointAhead"], verdict.Charges.Select(static charge => charge.Field));
    }

    [Fact]
    public void A_run_without_any_checkpoint_claims_nothing_and_does_not_pass()
    {
        var run = Stopped();
        run.WithoutCheckpoints();

        var verdict = run.Judge();

        Assert.Equal(VerdictOutcome.Undecided, verdict.Outcome);
        Assert.Equal("verdict: undecided (the run is checked up to its checkpoints, and it has none)", verdict.Summary);
    }

    [Fact]
    public void A_partition_without_a_checkpoint_beside_one_that_has_some_claims_nothing()
    {
        var run = Stopped();
        run.Journal.RemoveAll(static record => record is CheckpointWritten { Partition: "1" });

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Pass, 30, 10), (verdict.Outcome, verdict.Complete, verdict.Unclaimed));
    }

    [Fact]
    public void The_summary_of_a_finished_run_mentions_no_other_runs()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Scope = run.Scope with { UpToCheckpoint = true };

        Assert.Equal(new MutableRun(OrderPromise.None).Judge().Summary, run.Judge().Summary);
    }

    [Fact]
    public void Everything_else_is_judged_as_ever()
    {
        Assert.All(
            Mutant.All.Where(static mutant => mutant.Charged.Length > 0 && !mutant.Charged.Contains("lost") && !mutant.Charged.Contains("expired")),
            static mutant =>
            {
                var run = new MutableRun(mutant.Promise);
                mutant.Change(run);
                run.Scope = run.Scope with { UpToCheckpoint = true };
                Assert.Equal((mutant.Name, VerdictOutcome.Fail), (mutant.Name, run.Judge().Outcome));
            }
        );
    }

    // Stopped after sequence 14 of both partitions: the last five events of each were neither delivered nor written.
    private static MutableRun Stopped()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Scope = run.Scope with { UpToCheckpoint = true };
        run.Journal.RemoveAll(static record => record is CheckpointWritten { Sequence: "19" });
        foreach (var left in run.Events.Where(static simulated => simulated.Sequence > LastStored))
        {
            run.DropSinks(left);
            run.Journal.RemoveAll(record => record is EventDelivered delivered && delivered.Partition == left.Partition && delivered.Sequence == left.Sequence);
        }

        return run;
    }
}
