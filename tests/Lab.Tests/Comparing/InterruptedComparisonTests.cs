using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>What an interrupted comparison reports of its cells.</summary>
public sealed class InterruptedComparisonTests
{
    private const string Three = "--strategies=baseline,combined,pipelined";

    [Fact]
    public async Task An_interruption_in_the_first_cell_names_what_is_not_finished()
    {
        var plan = await PlanAsync(Three);

        var result = GetResult(plan, [], complete: false);

        var sentence = Assert.Single(result.Sentences);
        Assert.StartsWith("Interrupted: 0 of 4 cells are finished. Not finished: baseline, ", sentence, StringComparison.Ordinal);
        Assert.EndsWith(", baseline.", sentence, StringComparison.Ordinal);
        Assert.Equal((130, false), (result.Comparison.ExitCode, result.Comparison.Complete));
        await using var text = new StringWriter();
        ComparisonText.Write(result, 160, text);
        Assert.DoesNotContain("strategy", $"{text}", StringComparison.Ordinal);
        Assert.Contains("<h1>Interrupted: 0 of 4 cells are finished.</h1>", HtmlReport.Of(result), StringComparison.Ordinal);
        Assert.Equal(0, (plan with { Resumed = ResultJson.Read<ComparisonResult>(ResultJson.Write(result)) }).FirstBlock);
    }

    [Fact]
    public async Task Finished_cells_are_named_before_the_answer_that_they_give()
    {
        var plan = await PlanAsync("--strategies=baseline,combined");

        var result = GetResult(plan, [.. Blocks(plan, [30, 150]).Take(2)], complete: false);

        Assert.Equal("Interrupted: 2 of 3 cells are finished (baseline, combined). Not finished: baseline.", result.Sentences[0]);
        Assert.Equal("--resume runs the whole block again, because 2 cells of it cannot be compared with later cells.", result.Sentences[1]);
        Assert.True(result.Sentences.Count > 2);
    }

    [Fact]
    public async Task Whole_blocks_are_counted_and_the_open_block_is_named()
    {
        var plan = await PlanAsync("--strategies=baseline,combined", "--repeats=5");
        var cells = Blocks(plan, [30, 150], [30, 150]);

        Assert.StartsWith(
            "Interrupted: 6 of 15 cells are finished. Not finished in block 3: baseline, combined, baseline.",
            GetResult(plan, cells, complete: false).Sentences[0],
            StringComparison.Ordinal
        );
        Assert.Equal(
            "Interrupted: 7 of 15 cells are finished. Not finished in block 3: combined, baseline.",
            GetResult(plan, [.. cells, Cell("baseline", 2, 0, 31)], complete: false).Sentences[0]
        );
    }

    [Fact]
    public async Task A_complete_comparison_has_no_such_sentence()
    {
        var plan = await PlanAsync("--strategies=baseline,combined");

        Assert.DoesNotContain(GetResult(plan, Blocks(plan, [30, 150])).Sentences, static one => one.StartsWith("Interrupted", StringComparison.Ordinal));
    }
}
