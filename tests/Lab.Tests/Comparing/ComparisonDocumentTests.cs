using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Verification;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>Conclusions from cells of any source.</summary>
public sealed class ComparisonDocumentTests
{
    private const string Three = "--strategies=baseline,combined,pipelined";

    // A run varies by one or two percent.
    private static readonly double[] Wobble = [1, 1.01, 0.99, 1.015, 0.985, 1.005, 0.995, 1.02, 0.98, 1];

    [Fact]
    public async Task One_block_is_an_indication()
    {
        var plan = await PlanAsync(Three);

        var result = GetResult(plan, Blocks(plan, [30, 150, 2700]));

        Assert.Equal(
            "pipelined was 18.0 x as fast as combined in 1 block. This is an indication, not a result. It keeps no order, and a crash may repeat 3,024 events instead of 10.",
            result.Sentences[0]
        );
        Assert.Equal("One block has no interval. --repeats 5 gives one, and --repeats 10 can be published.", result.Sentences[1]);
        Assert.Equal([1, 5, 90], result.Strategies.Select(static one => one.Ratio));
        Assert.Equal(["reference", "indication", "indication"], result.Strategies.Select(static one => one.Word));
        Assert.All(result.Strategies, static one => Assert.Equal((null, null, null), (one.EventsPerS95, one.Ratio95, one.PHolm)));
        Assert.Equal((0, true), (result.Comparison.ExitCode, result.Comparison.Complete));
    }

    [Fact]
    public async Task Five_blocks_give_intervals_and_a_word()
    {
        var plan = await PlanAsync(Three, "--repeats=5");

        var result = GetResult(
            plan,
            Blocks(plan, [.. Wobble.Take(5).Select((by, block) => (IReadOnlyList<double>)[30 * by, 150 * Wobble[^(block + 1)], 2700])])
        );

        Assert.StartsWith(
            "pipelined is 18.0 x as fast as combined (17.65 to 18.37, faster in 5 of 5 blocks). It keeps no order",
            result.Sentences[0],
            StringComparison.Ordinal
        );
        Assert.Equal(["reference", "faster", "faster"], result.Strategies.Select(static one => one.Word));
        Assert.All(result.Strategies, static one => Assert.InRange(one.EventsPerS!.Value, one.EventsPerS95!.Low, one.EventsPerS95.High));
        Assert.Equal(3, result.Pairs.Count);
        Assert.Equal(("pipelined", "combined", 5, 5), (result.Pairs[0].First, result.Pairs[0].Second, result.Pairs[0].FasterIn, result.Pairs[0].Blocks));
        Assert.All(result.Pairs, static pair => Assert.InRange(pair.PHolm!.Value, 0, 0.05));
    }

    [Fact]
    public async Task Two_equally_fast_strategies_are_both_named_as_the_fastest()
    {
        var plan = await PlanAsync(Three, "--repeats=10");

        var result = GetResult(plan, Blocks(plan, [.. Wobble.Select(by => (IReadOnlyList<double>)[30, 2700 * by, 2701])]));

        Assert.StartsWith("pipelined and combined are the fastest, with no difference between them (0.9", result.Sentences[0], StringComparison.Ordinal);
        Assert.Equal("no difference", result.Pairs[0].Word);
    }

    [Fact]
    public async Task Checkpoints_are_counted_and_priced_for_a_million_events()
    {
        var plan = await PlanAsync(Three, "--price-per-10000-operations=0.065");
        var cells = Blocks(plan, [30, 150, 2700])
            .Select(static cell =>
                cell with
                {
                    Result = cell.Result! with
                    {
                        Throughput = cell.Result.Throughput with { Events = 2000 },
                        Stages = new Dictionary<string, StageFigures>(cell.Result.Stages)
                        {
                            ["checkpoint"] = new() { Count = 200 },
                            ["blob"] = new() { Count = 2000 },
                        },
                    },
                }
            );

        var result = GetResult(plan, [.. cells]);

        Assert.All(
            result.Strategies,
            static one => Assert.Equal((100, 0.65), (one.CheckpointsPerThousand, Math.Round(one.CheckpointCostPerMillion!.Value, 9)))
        );
        Assert.All(result.Strategies, static one => Assert.Equal((1000, 7.15), (one.UploadsPerThousand, Math.Round(one.StorageCostPerMillion!.Value, 9))));
        await using var text = new StringWriter();
        ComparisonText.Write(result, 200, text);
        Assert.Contains("100,000             0.65               7.15", $"{text}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cell_that_has_not_settled_counts_in_an_indication_alone()
    {
        Assert.Equal(
            (null, "no steady state: its rate still changed, or varied more than the times of its events explain"),
            GetRemarks(settled: false, isIndication: true)
        );
        Assert.Equal(
            ("no steady state: its rate still changed, or varied more than the times of its events explain", null),
            GetRemarks(settled: false, isIndication: false)
        );
        Assert.Equal((null, null), GetRemarks(settled: true, isIndication: false));
        Assert.Equal((null, null), GetRemarks(settled: null, isIndication: false));

        var plan = await PlanAsync(Three);
        var result = GetResult(plan, [.. Blocks(plan, [30, 150, 2700]).Select(static cell => cell.Settled(cell.Label == "combined" ? false : null))]);
        Assert.Contains("no steady state: combined. A longer --warm-up gives another rate.", result.Sentences);

        static (string?, string?) GetRemarks(bool? settled, bool isIndication)
        {
            var run = Cell("combined", 0, 1, 150).Settled(settled).Result;
            var cell = new FinishedCell(new Cell(null!, 0, 1, null!), run, new CellEvidence([]), null)
            {
                Hub = new CellHub("hub", "run", "ledger"),
                IsIndication = isIndication,
            };
            return (cell.Apart, cell.Mark);
        }
    }

    [Fact]
    public async Task A_reference_that_has_not_settled_costs_its_block()
    {
        var plan = await PlanAsync(Three, "--repeats=5");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150, 2700], 6)]).Select(static cell => cell.Settled(true)).ToList();
        cells[0] = cells[0].Settled(false) with { Apart = "no steady state" };

        var result = GetResult(plan, cells);

        Assert.Equal([0], result.DiscardedBlocks);
        Assert.Equal(("faster", 5), (result.Pairs[0].Word, result.Pairs[0].Blocks));
    }

    [Fact]
    public async Task A_conclusion_from_cells_that_are_too_short_for_a_steady_state_is_marked()
    {
        var plan = await PlanAsync(Three, "--repeats=5", "--measure=5s");

        var result = GetResult(
            plan,
            [.. Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150, 2700], 5)]).Select(static cell => cell.Settled(null))]
        );

        Assert.Contains("5 s are too short to detect a steady state. Six windows of 1 s are needed (--measure).", result.Sentences);
    }

    [Fact]
    public async Task A_block_whose_two_references_differ_counts_nowhere()
    {
        var plan = await PlanAsync(Three, "--repeats=5");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150, 2700], 6)]).ToList();
        cells[^1] = Cell("baseline", 5, 3, 33);

        var result = GetResult(plan, cells);

        Assert.Equal([5], result.DiscardedBlocks);
        Assert.Equal(5, result.Pairs[0].Blocks);
        Assert.Contains("discarded: 1 block whose two runs of baseline differ by more than 5 %, or of which one is missing.", result.Sentences);
    }

    [Fact]
    public async Task A_rate_that_the_emulator_held_is_shown_and_not_ranked()
    {
        var plan = await PlanAsync(Three, "--repeats=5");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150, 2700], 5)]).ToList();
        cells[2] = cells[2].With(RateBound.Emulator);

        var result = GetResult(plan, cells);

        Assert.Equal(2700, result.Strategies[2].EventsPerS);
        Assert.Equal("not ranked: emulator-bound", result.Strategies[2].Word);
        Assert.Equal("pipelined and combined are the fastest and not ranked: emulator-bound.", result.Sentences[0]);
    }

    [Fact]
    public async Task A_rate_at_which_something_was_lost_is_none()
    {
        var plan = await PlanAsync(Three);
        var cells = Blocks(plan, [30, 150, 2700]).ToList();
        cells[2] = cells[2].With(VerdictOutcome.Fail, "verdict: FAILED (lost 1, first: index 7)");

        var result = GetResult(plan, cells);

        Assert.Equal((3, null, SafetyVerdict.Failed), (result.Comparison.ExitCode, result.Strategies[2].EventsPerS, result.Strategies[2].Verdict));
        Assert.Contains("pipelined: verdict: FAILED (lost 1, first: index 7)", result.Sentences);
        Assert.DoesNotContain(result.Sentences, static sentence => sentence.StartsWith("No event was lost", StringComparison.Ordinal));
        Assert.StartsWith("combined was 5.0 x as fast as baseline", result.Sentences[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_loss_of_an_unsafe_strategy_does_not_fail_the_comparison()
    {
        var plan = await PlanAsync("--strategies=baseline,whenall", "--unsafe");
        var cells = Blocks(plan, [30, 150]).ToList();
        cells[1] = cells[1].With(VerdictOutcome.Fail, "verdict: FAILED (lost 1, first: index 7)") with { Apart = null };

        var result = GetResult(plan, cells);

        Assert.Equal((0, 150d, SafetyVerdict.Failed), (result.Comparison.ExitCode, result.Strategies[1].EventsPerS, result.Strategies[1].Verdict));
        Assert.Contains("It is unsafe: A write that fails is not tried again", result.Sentences[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cells_without_a_result_are_listed_with_their_reason()
    {
        var plan = await PlanAsync(Three);
        var cells = Blocks(plan, [30, 150, 2700]).ToList();
        cells[2] = cells[2] with { Result = null, Apart = "its consumer ended with code 4: no output" };

        var result = GetResult(plan, cells, complete: true);

        Assert.Equal(4, result.Comparison.ExitCode);
        Assert.Equal("The answer is incomplete: 1 of 4 cells is excluded. pipelined: its consumer ended with code 4: no output.", result.Sentences[0]);
    }

    [Fact]
    public async Task An_interrupted_comparison_has_its_exit_code_and_keeps_its_cells()
    {
        var plan = await PlanAsync(Three, "--repeats=2");
        var cells = Blocks(plan, [30, 150, 2700]);

        var result = GetResult(plan, [.. cells, Cell("baseline", 1, 0, 31)], complete: false);

        Assert.Equal((130, false, 5), (result.Comparison.ExitCode, result.Comparison.Complete, result.Cells.Count));
        Assert.Equal(90, result.Strategies[2].Ratio);
    }

    [Fact]
    public async Task A_saved_comparison_is_read_again_and_resumed_after_its_whole_blocks()
    {
        var plan = await PlanAsync(Three, "--repeats=3");
        var cut = GetResult(plan, [.. Blocks(plan, [30, 150, 2700]), Cell("baseline", 1, 0, 31)], complete: false);

        var read = ResultJson.Read<ComparisonResult>(ResultJson.Write(cut));
        var resumed = plan with { Resumed = read };

        Assert.Equal((1, 1, 4), (resumed.FirstBlock, resumed.GoodEarlier, resumed.Earlier.Count));
        Assert.Equal(ResultJson.Write(cut), ResultJson.Write(read));
    }

    [Fact]
    public async Task The_table_fits_the_width_it_is_given()
    {
        var plan = await PlanAsync(Three, "--repeats=5");
        var result = GetResult(plan, Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150, 2700], 5)]));

        foreach (var width in (int[])[80, 100, 160, 240])
        {
            await using var output = new StringWriter();
            ComparisonText.Write(result, width, output);
            var lines = output.ToString().Split('\n');
            Assert.All(lines, line => Assert.InRange(line.Length, 0, width));
            Assert.Contains(lines, static line => line.StartsWith("  pipelined", StringComparison.Ordinal) && line.Contains("2,700", StringComparison.Ordinal));
            Assert.Equal(width < 240, output.ToString().Contains("columns that do not fit", StringComparison.Ordinal));
        }
    }
}
