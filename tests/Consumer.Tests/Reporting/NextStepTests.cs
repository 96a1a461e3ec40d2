using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Reporting;

public sealed class NextStepTests
{
    [Theory]
    [InlineData("baseline", 10, "Next: --strategy=outloop overlaps the events of a batch; the model predicts 111 events/s.")]
    [InlineData("inloop", 10, "Next: --strategy=outloop overlaps the events of a batch; the model predicts 111 events/s.")]
    [InlineData("outloop", 10, "Next: --strategy=combined overlaps the two writes of an event as well; the model predicts 124 events/s.")]
    [InlineData("combined", 10, "Next: --batch=100 pays for one checkpoint in 100 events instead of one in 10; the model predicts 263 events/s.")]
    [InlineData(
        "combined",
        100,
        "Next: the sender serves one message after another, at most 301 events/s on this profile; --profile=none shows the harness's own limit."
    )]
    public void Follows_from_strategy_and_batch(string strategy, int batch, string expected) =>
        Assert.Equal(expected, NextStep.Of(Reports.Of(strategy, batch)));

    [Fact]
    public void Predicts_nothing_where_there_is_no_model() =>
        Assert.Equal("Next: --strategy=outloop overlaps the events of a batch.", NextStep.Of(Reports.Of("baseline") with { Prediction = null }));

    [Fact]
    public void Names_the_input_when_batches_are_not_full()
    {
        var report = Reports.Of("combined") with { Figures = Reports.Figures(4) };

        Assert.StartsWith("Next: batches held 4.0 of 10 events on average", NextStep.Of(report), StringComparison.Ordinal);
    }

    [Fact]
    public void Reads_no_speed_from_a_failed_verdict()
    {
        var failed = new Verdict
        {
            Outcome = VerdictOutcome.Fail,
            Charges = [new Charge("lost", 1, "0/41")],
            NotJudged = [],
        };
        var report = Reports.Of("baseline") with { Judgement = new Judgement(failed, failed.Summary, 3) };

        Assert.StartsWith("Next: nothing may be read from the speed", NextStep.Of(report), StringComparison.Ordinal);
        Assert.Equal(3, report.Code);
    }

    [Fact]
    public void Says_that_an_ended_run_goes_on_from_its_checkpoint()
    {
        var report = Reports.Of("baseline") with { End = RunEnd.Faulted, Faults = [new RunFault(7, "poison"), new RunFault(8, "drain")] };

        Assert.Contains("it goes on from the last checkpoint", NextStep.Of(report), StringComparison.Ordinal);
        Assert.Equal(7, report.Code);
    }
}
