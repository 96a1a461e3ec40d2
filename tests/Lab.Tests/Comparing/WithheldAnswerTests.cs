using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Verification;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>A comparison whose excluded cells withhold the answer or a part of it.</summary>
public sealed class WithheldAnswerTests
{
    private const string Three = "--strategies=baseline,combined,pipelined";

    private static string Excluded => "the latencies of the emulator were off the profile";

    [Fact]
    public async Task The_reason_precedes_the_models_answer_and_the_advice()
    {
        var plan = await PlanAsync(Three);

        var result = GetResult(plan, [.. Blocks(plan, [30, 150, 2700]).Select(static (cell, place) => MissProfile(cell, 0.2 + (0.1 * place)))]);

        Assert.StartsWith("No answer: this machine was too busy", result.Sentences[0], StringComparison.Ordinal);
        Assert.EndsWith(
            " in 4 of 4 cells. The latencies of the emulator were off the profile, so these cells are excluded: baseline (20.0 % off), combined (30.0 % off), pipelined (40.0 % off), baseline (50.0 % off).",
            result.Sentences[0],
            StringComparison.Ordinal
        );
        Assert.StartsWith("The model predicts for article-spread, in events/s: pipelined ", result.Sentences[1], StringComparison.Ordinal);
        Assert.Matches(@", combined [\d,.]+, baseline [\d.]+\. pipelined is [\d.]+ x as fast as baseline\.$", result.Sentences[1]);
        Assert.StartsWith(
            "Figures in brackets are of excluded cells, and nothing is concluded from them. Stop other programs and run the command again.",
            result.Sentences[2],
            StringComparison.Ordinal
        );
        Assert.Equal(0, result.Comparison.ExitCode);
    }

    [Fact]
    public async Task Excluded_figures_are_shown_in_brackets_beside_the_models_rate()
    {
        var plan = await PlanAsync(Three);

        var result = GetResult(plan, [.. Blocks(plan, [30, 150, 2700]).Select(static cell => cell.Label == "combined" ? MissProfile(cell, 0.3) : cell)]);

        var combined = result.Strategies[1];
        Assert.Equal((0, null, 1, 150), (combined.Cells, combined.EventsPerS, combined.Excluded!.Cells, combined.Excluded.EventsPerS));
        Assert.All(result.Strategies, static one => Assert.NotNull(one.ProfilePredictedEventsPerS));
        Assert.Equal([true, false, true], result.Strategies.Select(static one => one.Excluded is null));
        await using var text = new StringWriter();
        ComparisonText.Write(result, 240, text);
        var row = $"{text}".Split('\n').Single(static line => line.StartsWith("  combined", StringComparison.Ordinal));
        Assert.Matches(@"^  combined +\(150\) +[\d.,]+ ", row);
        Assert.Contains("events/s  model events/s  x baseline", $"{text}", StringComparison.Ordinal);
        Assert.Contains("| combined | (150) | ", MarkdownReport.Of(result), StringComparison.Ordinal);
        Assert.Contains("(<data value=\"150\">150</data>)", HtmlReport.Of(result), StringComparison.Ordinal);
        Assert.Equal(ResultJson.Write(result), ResultJson.Write(ResultJson.Read<ComparisonResult>(ResultJson.Write(result))));
    }

    [Fact]
    public async Task The_answer_of_the_cells_that_count_follows_the_reason()
    {
        var plan = await PlanAsync(Three);

        var result = GetResult(plan, [.. Blocks(plan, [30, 150, 2700]).Select(static cell => cell.Label == "combined" ? MissProfile(cell, 0.3) : cell)]);

        Assert.StartsWith("The answer is incomplete: this machine was too busy", result.Sentences[0], StringComparison.Ordinal);
        Assert.Contains(
            result.Sentences,
            static one => one.StartsWith("Of the cells that count: pipelined was 90.0 x as fast as baseline", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(result.Sentences, static one => one.StartsWith("excluded:", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Another_reason_than_a_busy_machine_has_its_own_advice()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--repeats=5");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([150, 2700], 5)]);

        var result = GetResult(
            plan,
            [.. cells.Select(static cell => cell.Label == "pipelined" ? cell.Settled(false) with { Apart = "no steady state" } : cell.Settled(true))]
        );

        Assert.Equal(
            "No answer: 5 of 15 cells are excluded. pipelined in block 1: no steady state; pipelined in block 2: no steady state; "
                + "pipelined in block 3: no steady state; pipelined in block 4: no steady state; pipelined in block 5: no steady state.",
            result.Sentences[0]
        );
        Assert.Contains("A longer --warm-up helps a cell to a steady state.", result.Sentences[2], StringComparison.Ordinal);
        Assert.DoesNotContain("Stop other programs", result.Sentences[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_that_excluded_cells_leave_remains_the_first_sentence()
    {
        var plan = await PlanAsync(Three, "--repeats=6");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150, 2700], 6)]).ToList();
        cells[1] = MissProfile(cells[1], 0.2);

        var result = GetResult(plan, cells);

        Assert.StartsWith("pipelined is 18.0 x as fast as combined", result.Sentences[0], StringComparison.Ordinal);
        Assert.Contains("excluded: 1 of 24 cells, because this machine was too busy to keep the profile: combined in block 1 (20.0 % off).", result.Sentences);
        Assert.All(result.Strategies, static one => Assert.Equal((null, null), (one.ProfilePredictedEventsPerS, one.Excluded)));
    }

    [Fact]
    public async Task A_rate_with_lost_events_is_not_shown_in_brackets()
    {
        var plan = await PlanAsync(Three);
        var cells = Blocks(plan, [30, 150, 2700]).Select(static cell => cell.Label == "combined" ? cell : MissProfile(cell, 0.3)).ToList();
        cells[2] = cells[2].With(VerdictOutcome.Fail, "verdict: FAILED (lost 1, first: index 7)");

        var result = GetResult(plan, cells);

        Assert.NotNull(result.Strategies[0].Excluded);
        Assert.Null(result.Strategies[2].Excluded);
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData("--fail-if-undecided", 12)]
    public async Task Undecided_has_an_exit_code_if_it_is_asked_for(string option, int expected)
    {
        var plan = await PlanAsync([Three, .. option.Length > 0 ? new[] { option } : []]);
        await using var error = new StringWriter();
        var busy = GetResult(plan, [.. Blocks(plan, [30, 150, 2700]).Select(static cell => cell.Label == "combined" ? MissProfile(cell, 0.3) : cell)]);
        var idle = GetResult(plan, Blocks(plan, [30, 150, 2700]));

        Assert.Equal(expected, plan.Gates.Judge(busy, stepSummary: null, error).DefaultIfEmpty().Max());
        Assert.Equal(expected > 0 ? $"gate: the comparison has an answer: undecided, no cell of combined counts{Environment.NewLine}" : "", $"{error}");
        Assert.Equal(0, plan.Gates.Judge(idle, stepSummary: null, TextWriter.Null).DefaultIfEmpty().Max());
    }

    [Fact]
    public async Task A_best_pair_that_is_not_decided_is_undecided()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--repeats=5");

        var result = GetResult(plan, Blocks(plan, [100, 104], [100, 98], [100, 106], [100, 101], [100, 103]));

        Assert.Contains("pipelined against combined is not decided", UndecidedVerdict.Of(result).Line, StringComparison.Ordinal);
    }

    private static ComparedCell MissProfile(ComparedCell cell, double by) => cell with { Apart = Excluded, ProfileMissedBy = by };
}
