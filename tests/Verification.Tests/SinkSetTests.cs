using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Runs that write to one of the two sinks.</summary>
public sealed class SinkSetTests
{
    [Theory]
    [InlineData(SinkSet.Queue, "in the queue")]
    [InlineData(SinkSet.Archive, "in the container")]
    public void A_run_that_writes_to_one_sink_is_judged_by_that_sink(SinkSet sinks, string place)
    {
        var run = GetRun(sinks);

        var verdict = run.Judge();

        Assert.Equal($"verdict: clean (40 of 40 {place}, 0 duplicates, {verdict.Checkpoints} checkpoints never ahead)", verdict.Summary);
    }

    [Theory]
    [InlineData(SinkSet.Queue, "not in the container")]
    [InlineData(SinkSet.Archive, "not in the queue")]
    public void The_same_run_lacks_each_event_at_the_other_sink(SinkSet sinks, string example)
    {
        var run = GetRun(sinks);
        run.Scope = run.Scope with { Sinks = SinkSet.Both };

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Fail, 40L), (verdict.Outcome, verdict.Lost));
        Assert.Contains(verdict.Charges, charge => charge.Field == "lost" && charge.Example.EndsWith(example, StringComparison.Ordinal));
        Assert.NotEqual(0, verdict.CheckpointAhead);
    }

    [Theory]
    [InlineData(SinkSet.Queue, "not in the queue")]
    [InlineData(SinkSet.Archive, "not in the container")]
    public void An_event_that_is_not_there_is_lost_and_the_checkpoint_after_it_is_ahead(SinkSet sinks, string example)
    {
        var run = GetRun(sinks);
        run.DropSinks(run.Middle);

        var verdict = run.Judge();

        Assert.Equal(["lost", "checkpointAhead"], verdict.Charges.Select(static charge => charge.Field));
        Assert.Equal((1L, 3L), (verdict.Lost, verdict.CheckpointAhead));
        Assert.EndsWith(example, verdict.Charges[0].Example, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(SinkSet.Queue)]
    [InlineData(SinkSet.Archive)]
    public void An_event_that_comes_after_its_checkpoint_makes_the_checkpoint_ahead(SinkSet sinks)
    {
        var run = GetRun(sinks);
        var late = run.Journal.FindAll(record => IsWriteOf(record, run.Middle));
        run.Journal.RemoveAll(late.Contains);
        run.Journal.AddRange(late);

        Assert.Equal(["checkpointAhead"], run.Judge().Charges.Select(static charge => charge.Field));
    }

    // The begin and the end of a write are recorded for messages alone.
    [Theory]
    [InlineData(SinkSet.Queue, "orderStartPartition")]
    [InlineData(SinkSet.Archive, "overlapPartition")]
    public void The_order_of_one_sink_is_judged(SinkSet sinks, string charged)
    {
        var run = GetRun(sinks, OrderPromise.Partition);
        run.WithoutCheckpoints();
        run.Swap(run.Of(0, 6), run.Of(0, 7), static record => record is MessageWritten or BlobWritten);

        Assert.Contains(charged, run.Judge().Charges.Select(static charge => charge.Field));
    }

    private static MutableRun GetRun(SinkSet sinks, OrderPromise promise = OrderPromise.None)
    {
        var run = new MutableRun(promise);
        run.Scope = run.Scope with { Sinks = sinks };
        run.Journal.RemoveAll(record => sinks == SinkSet.Queue ? record is BlobWritten : record is MessageWritten);
        return run;
    }

    private static bool IsWriteOf(JournalRecord record, SimulatedEvent one) =>
        record is MessageWritten message ? message.MessageId == one.MessageId : record is BlobWritten blob && blob.Name == one.BlobName;
}
