using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Results;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>One strategy at many degrees, from any runner.</summary>
public sealed class SweepTests
{
    [Fact]
    public async Task The_sweep_covers_both_concurrent_strategies_over_eight_degrees_by_default()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep);

        Assert.Equal(16, plan.Configurations.Count);
        Assert.Equal(["combined", "pipelined"], plan.Sweep.Select(static point => point.Series).Distinct());
        Assert.Equal([1, 2, 4, 8, 16, 32, 64, 128], plan.Configurations.Take(8).Select(static one => one.Options.Processing.MaxConcurrency));
        Assert.All(plan.Configurations, static one => Assert.Equal(10, one.Options.Processing.BatchSize));
    }

    [Fact]
    public async Task A_point_is_hopeless_below_half_of_the_best_of_its_series()
    {
        var sweep = (await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=1,8,64")).Sweep;
        (string, double?)[] measured = [("combined:degree=1", 40), ("combined:degree=64", null), ("pipelined:degree=8", 400), ("pipelined:degree=1", 54)];

        Assert.Equal(20, EarlyStopping.Below(sweep, "combined:degree=8", measured));
        Assert.Equal(200, EarlyStopping.Below(sweep, "pipelined:degree=64", measured));
        Assert.Null(EarlyStopping.Below(sweep, "pipelined:degree=64", []));
        Assert.Null(EarlyStopping.Below([], "pipelined", [("pipelined", 400)]));
    }

    [Fact]
    public async Task A_cell_that_was_ended_early_counts_and_is_reported()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=1,8,64");
        var cells = Blocks(plan, [54, 400, 900])
            .Select(static cell =>
                cell.Label == "pipelined:degree=8"
                    ? cell with
                    {
                        Result = cell.Result! with { Time = cell.Result.Time with { EndedEarly = true, MeasuredS = 1.25 } },
                    }
                    : cell
            )
            .ToList();

        var result = GetResult(plan, cells);

        Assert.Contains("ended early: pipelined:degree=8. Their rate was below half of the best of the sweep.", result.Sentences);
        Assert.Equal(400, result.Strategies.Single(static one => one.Label == "pipelined:degree=8").EventsPerS);
    }

    [Fact]
    public async Task The_number_of_early_ends_of_each_point_is_reported_for_many_cells()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=1,8,64", "--repeats=5");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([54, 400, 900], 5)])
            .Select(static cell =>
                cell.Label == "pipelined:degree=64"
                    ? cell
                    : cell with
                    {
                        Result = cell.Result! with { Time = cell.Result.Time with { EndedEarly = true, MeasuredS = 1.25 } },
                    }
            )
            .ToList();

        Assert.Contains(
            "ended early: pipelined:degree=1 (10 cells), pipelined:degree=8 (5 cells). Their rate was below half of the best of the sweep.",
            GetResult(plan, cells).Sentences
        );
    }

    [Fact]
    public async Task The_only_batch_size_is_in_no_label_and_is_in_force()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=4,8", "--batches=100");

        Assert.Equal(["pipelined:degree=4", "pipelined:degree=8"], plan.Configurations.Select(static one => one.Label));
        Assert.All(plan.Configurations, static one => Assert.Equal(100, one.Options.Processing.BatchSize));
    }

    [Fact]
    public async Task Every_batch_size_is_a_separate_series_and_a_sequential_strategy_has_one_degree()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=baseline,combined:checkpoint-events=500", "--degrees=4,8", "--batches=10,100");

        Assert.Equal(
            [
                ("baseline:batch=10", 1),
                ("baseline:batch=100", 1),
                ("combined:checkpoint-events=500:batch=10", 4),
                ("combined:checkpoint-events=500:batch=10", 8),
                ("combined:checkpoint-events=500:batch=100", 4),
                ("combined:checkpoint-events=500:batch=100", 8),
            ],
            plan.Sweep.Select(static point => (point.Series, point.Degree))
        );
        Assert.All(plan.Configurations.Skip(2), static one => Assert.Equal(500, one.Options.Processing.Checkpoints.Events));
    }

    [Theory]
    [InlineData("--degrees=4,0", "--degrees '0': out of range, allowed 1 to 4096")]
    [InlineData("--degrees=4,x", "--degrees 'x': out of range, allowed 1 to 4096")]
    [InlineData("--degrees=4,4", "--degrees '4': given twice")]
    [InlineData("--batches=10001", "--batches '10001': out of range, allowed 1 to 10000")]
    [InlineData("--strategies=combined:degree=8", "--strategies 'combined:degree=8': degree is an axis of the sweep, set it with --degrees")]
    [InlineData("--degree=8", "--degree: unknown option, did you mean '--degrees'?")]
    [InlineData("--strategies=zebra", "--strategies 'zebra:degree=1': --strategy 'zebra': unknown. Known: ")]
    public async Task An_invalid_grid_is_refused(string argument, string expected)
    {
        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => PlanAsync(ComparisonForm.Sweep, argument));

        Assert.StartsWith($"error: {expected}", refused.Message, StringComparison.Ordinal);
        Assert.Single(refused.Message.TrimEnd().Split('\n'));
    }

    [Fact]
    public async Task A_knee_is_found_and_the_smallest_degree_that_is_fast_enough_recommended()
    {
        var result = await WithAsync([1, 2, 4, 8, 16, 24, 32, 48, 64], static degree => 50 * Math.Min(degree, 20));

        var swept = Assert.Single(result.Sweep!);
        Assert.InRange(swept.Knee!.Value, 19, 21);
        Assert.Equal(24, swept.Recommended);
        Assert.Contains("use degree 24", swept.Sentence, StringComparison.Ordinal);
        Assert.Contains("The rate stops rising at", swept.Sentence, StringComparison.Ordinal);
        Assert.StartsWith("Use pipelined:degree=24: 1,000 events/s", result.Sentences[0], StringComparison.Ordinal);
        Assert.Equal(swept.Sentence, result.Sentences[1]);
        Assert.Equal((9, 0), (swept.Degrees.Count, result.Pairs.Count));
    }

    [Fact]
    public async Task A_decline_is_seen_by_the_law()
    {
        // Gunther's law with its best degree at 31.6.
        var result = await WithAsync([1, 2, 4, 8, 16, 32, 48, 64, 96, 128], static degree => 50 * degree / (1 + (0.001 * degree * (degree - 1))));

        var swept = Assert.Single(result.Sweep!);
        Assert.InRange(swept.Law!.BestDegree!.Value, 28, 35);
        Assert.Contains("By the law it is fastest at 32 and declines above", swept.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Few_degrees_give_a_choice_and_no_law()
    {
        var result = await WithAsync([8, 16, 32], static degree => 50 * degree);

        var swept = Assert.Single(result.Sweep!);
        Assert.Equal((null, null, 32), (swept.Law, swept.Knee, swept.Best));
        Assert.Contains("8 degrees are needed to find a knee", swept.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Is_printed_by_degree_with_the_one_to_use()
    {
        await using var output = new StringWriter();
        ComparisonText.Write(await WithAsync([1, 2, 4, 8, 16, 24, 32, 48, 64], static degree => 50 * Math.Min(degree, 20)), 100, output);

        var lines = output.ToString().Split('\n');
        Assert.StartsWith("sweep  article-spread", lines[0], StringComparison.Ordinal);
        Assert.Single(
            lines,
            static line => line.EndsWith("# <- use", StringComparison.Ordinal) && line.TrimStart().StartsWith("24 ", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task A_point_whose_steady_state_is_unknown_is_not_called_faster()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=1,8", "--repeats=5");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([54, 400], 5)]);

        Assert.Equal("faster", GetResult(plan, [.. cells.Select(static cell => cell.Settled(true))]).Strategies[1].Word);
        Assert.Equal("not decided: steady state unknown", GetResult(plan, [.. cells.Select(static cell => cell.Settled(null))]).Strategies[1].Word);
    }

    [Fact]
    public async Task The_highest_rate_is_not_called_the_fastest()
    {
        var swept = Assert.Single((await WithAsync([8, 16, 32], static degree => 50 * degree)).Sweep!);

        Assert.StartsWith("pipelined: use degree 32, the highest rate. ", swept.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Excluded_points_get_the_reason_first_and_the_models_degree()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=8,64");
        var cells = Blocks(plan, [100, 150, 400, 2_700])
            .Select(static cell =>
                cell.Label == "pipelined:degree=64" ? cell with { Apart = "the latencies of the emulator were off the profile", ProfileMissedBy = 0.3 } : cell
            )
            .ToList();

        var result = GetResult(plan, cells);

        Assert.StartsWith("The answer is incomplete: this machine was too busy", result.Sentences[0], StringComparison.Ordinal);
        Assert.Matches(
            @"^By the model of article-spread, use degree \d+ for combined \([\d.]+ events/s\), degree 64 for pipelined \([\d,]+ events/s\)\.$",
            result.Sentences[1]
        );
        Assert.StartsWith("Figures in brackets are of excluded cells", result.Sentences[2], StringComparison.Ordinal);
        Assert.StartsWith("Of the cells that count: pipelined:degree=8 has the highest rate: 400 events/s", result.Sentences[3], StringComparison.Ordinal);
        Assert.StartsWith("combined: use degree 64", result.Sentences[4], StringComparison.Ordinal);
        Assert.DoesNotContain(result.Sentences, static one => one.StartsWith("excluded:", StringComparison.Ordinal));
        await using var text = new StringWriter();
        ComparisonText.Write(result, 160, text);
        Assert.Matches(@"\n +64 +\(2,700\) +[\d,]+ ", $"{text}");
        Assert.Contains("| pipelined:degree=64 | (2,700) | ", MarkdownReport.Of(result), StringComparison.Ordinal);
        Assert.Contains("(<data value=\"2700\">2,700</data>)", HtmlReport.Of(result), StringComparison.Ordinal);
        Assert.Equal(ResultJson.Write(result), ResultJson.Write(ResultJson.Read<ComparisonResult>(ResultJson.Write(result))));
    }

    [Fact]
    public async Task A_sweep_of_which_each_point_counts_begins_with_the_degree_to_use()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=8,64", "--repeats=2");
        var cells = Blocks(plan, [400, 2_700], [400, 2_700]).ToList();
        cells[1] = cells[1] with { Apart = "the latencies of the emulator were off the profile", ProfileMissedBy = 0.3 };

        var result = GetResult(plan, cells);

        Assert.StartsWith("Use pipelined:degree=64: 2,700 events/s", result.Sentences[0], StringComparison.Ordinal);
        Assert.Contains(result.Sentences, static one => one.StartsWith("excluded: 1 of 6 cells", StringComparison.Ordinal));
    }

    private static async Task<ComparisonResult> WithAsync(IReadOnlyList<int> degrees, Func<int, double> rate)
    {
        // A run varies by half a percent.
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", $"--degrees={string.Join(',', degrees)}", "--repeats=2");
        return GetResult(plan, Blocks(plan, [.. degrees.Select(degree => 1.005 * rate(degree))], [.. degrees.Select(degree => 0.995 * rate(degree))]));
    }
}
