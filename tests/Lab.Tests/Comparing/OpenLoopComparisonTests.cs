using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>What is concluded where events were sent at a rate.</summary>
public sealed class OpenLoopComparisonTests
{
    [Fact]
    public async Task The_strategy_with_the_shorter_time_from_the_scheduled_send_time_wins()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--rate=300", "--repeats=5", "--measure=5s", "--warm-up=2s");

        var result = GetResult(plan, GetCells(plan, label => label == "pipelined" ? (20, 50) : (30, 200)));

        Assert.StartsWith(
            "pipelined is 4.0 x as quick as combined (p99 50.0 against 200.0 ms, 4.00 to 4.00, faster in 5 of 5 blocks). It keeps no order",
            result.Sentences[0],
            StringComparison.Ordinal
        );
        Assert.Equal((ComparedBy.P99, "300/s"), (result.Settings.ComparedBy, result.Settings.Rate));
        Assert.Equal(["reference", "faster"], result.Strategies.Select(static one => one.Word));
        Assert.Equal([(30, 200, 1), (20, 50, 4)], result.Strategies.Select(static one => (one.EndToEndP50Ms, one.EndToEndP99Ms, one.Ratio)));
        Assert.All(result.Strategies, static one => Assert.Equal((120, null, 0), (one.EventsPerS, one.EventsPerS95, one.FallsBehindIn)));
    }

    [Fact]
    public async Task A_strategy_with_a_growing_lag_is_shown_and_not_ranked()
    {
        var plan = await PlanAsync("--strategies=baseline,combined,pipelined", "--rate=300");

        var result = GetResult(
            plan,
            [.. GetCells(plan, static _ => (20, 50)).Select(static cell => cell.Label == "baseline" ? cell.Sent(900, 1900, fallsBehind: true) : cell)]
        );

        Assert.All(result.Pairs.Where(static pair => pair.Second == "baseline"), static pair => Assert.Equal("not ranked: growing lag", pair.Word));
        Assert.Contains(
            "growing lag: baseline by 20 %, baseline by 20 %. Such times rise during the whole measurement, so they are shown and not ranked.",
            result.Sentences
        );
        Assert.Equal(2, result.Strategies[0].FallsBehindIn);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public async Task A_reference_that_cannot_keep_the_rate_is_the_headline_and_does_not_withhold_the_others(int repeats)
    {
        var plan = await PlanAsync("--strategies=baseline,combined,pipelined", "--rate=300", $"--repeats={repeats}", "--measure=5s", "--warm-up=2s");

        var result = GetResult(
            plan,
            [
                .. GetCells(plan, static label => label == "pipelined" ? (20, 50) : (30, 200))
                    .Select(static cell => cell.Label == "baseline" ? cell.Sent(900, 1900 + cell.OrderInBlock * 200, fallsBehind: true) : cell),
            ]
        );

        Assert.Equal("baseline cannot keep 300/s, pipelined (p99 50.0 ms) and combined (p99 200.0 ms) can.", result.Sentences[0]);
        Assert.StartsWith(
            repeats == 1 ? "pipelined was 4.0 x as quick as combined" : "pipelined is 4.0 x as quick as combined",
            result.Sentences[1],
            StringComparison.Ordinal
        );
        Assert.Empty(result.DiscardedBlocks);
        Assert.Equal(
            ["reference", "not ranked: growing lag of baseline", "not ranked: growing lag of baseline"],
            result.Strategies.Select(static one => one.Word)
        );
        Assert.DoesNotContain(result.Sentences, static one => one.StartsWith("not ranked", StringComparison.Ordinal));
        Assert.Equal(GateOutcome.Passed, UndecidedVerdict.Of(result).Outcome);
    }

    [Fact]
    public async Task Where_one_configuration_keeps_the_rate_it_is_the_answer()
    {
        var plan = await PlanAsync("--strategies=baseline,inloop,combined", "--rate=300", "--measure=5s", "--warm-up=2s");

        var result = GetResult(
            plan,
            [.. GetCells(plan, static _ => (20, 50)).Select(static cell => cell.Label == "combined" ? cell : cell.Sent(900, 1900, fallsBehind: true))]
        );

        Assert.Equal("baseline and inloop cannot keep 300/s, combined (p99 50.0 ms) can.", result.Sentences[0]);
        Assert.Equal(GateOutcome.Passed, UndecidedVerdict.Of(result).Outcome);
    }

    [Fact]
    public async Task Few_events_are_compared_by_their_median()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--rate=100");

        var result = GetResult(plan, GetCells(plan, static label => label == "pipelined" ? (20, null) : (30, null)));

        Assert.StartsWith(
            "pipelined was 1.5 x as quick as combined (median 20.0 against 30.0 ms) in 1 block. This is an indication",
            result.Sentences[0],
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task The_table_shows_the_time_from_the_scheduled_send_time()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--rate=300");
        await using var text = new StringWriter();

        ComparisonText.Write(GetResult(plan, GetCells(plan, static _ => (20, 50))), 160, text);

        Assert.Contains("compare  article-spread, 300/s, 1 partition", $"{text}", StringComparison.Ordinal);
        Assert.Contains("p50 since scheduled ms  p99 since scheduled ms", $"{text}", StringComparison.Ordinal);
        Assert.Contains("20.0                    50.0", $"{text}", StringComparison.Ordinal);
        Assert.DoesNotContain("of model", $"{text}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_gate_can_ask_for_the_tail_and_is_not_held_against_another_load()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--rate=300", "--repeats=5", "--fail-if=pipelined.endtoend99 > 40");
        var result = GetResult(plan, GetCells(plan, static _ => (20, 50)));
        var filled = await PlanAsync("--strategies=combined,pipelined", "--repeats=5");

        Assert.Equal(GateOutcome.Failed, GateVerdict.Of(plan.Gates.Conditions[0], result).Outcome);
        Assert.Equal(
            "compared with the earlier result: undecided, the hub was filled before the run there and events were sent at 300/s here",
            Assert.Single(GateVerdict.Against(result, GetResult(filled, Blocks(filled, [100, 200])))).Line
        );
    }

    [Theory]
    [InlineData(98.0, "None", "Input")]
    [InlineData(98.0, "Emulator", "Emulator")]
    [InlineData(99.5, "None", "None")]
    [InlineData(99.5, "Cpu", "Cpu")]
    public async Task A_run_that_was_sent_too_slowly_is_input_bound(double achieved, string before, string expected)
    {
        var plan = await PlanAsync("--rate=100");
        var run = Cell("baseline", 0, 0, 100).With(Enum.Parse<RateBound>(before)).Result!;

        var result = SentLoad.Of(plan, run, Sent(achieved, 100, 3));

        Assert.Equal(expected, result.Bounds.Bound.ToString());
        Assert.Equal(
            (ResultKind.Latency, "100/s", 100, achieved, 3),
            (result.Run.Kind, result.Input.Rate, result.Input.RateIntendedPerS, result.Input.RateAchievedPerS, result.Input.MostLateMs)
        );
    }

    [Theory]
    [InlineData("100", true)]
    [InlineData("100,50@3s", null)]
    public async Task Growth_of_the_lag_is_reported_for_a_constant_rate_only(string rate, bool? expected)
    {
        var plan = await PlanAsync($"--rate={rate}");
        var run = Cell("baseline", 0, 0, 100).Result!;
        var windows = Enumerable
            .Range(0, 5)
            .Select(static second => new TimeWindow
            {
                StartS = second,
                Events = 80,
                EventsPerS = 80,
                EndToEndMs = 30 + (200 * second),
            });

        var input = SentLoad.Of(plan, run with { Time = run.Time with { Windows = [.. windows] } }, Sent(100, 100, 0)).Input;

        Assert.Equal(expected, input.FallsBehind);
        Assert.Equal(expected is null ? -1 : 0.2, input.LagGrowth ?? -1, 6);
    }

    private static IReadOnlyList<ComparedCell> GetCells(ComparisonPlan plan, Func<string, (double P50, double? P99)> times) =>
        [
            .. Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([.. plan.Configurations.Select(static _ => 120.0)], plan.Repeats)])
                .Select(cell => cell.Sent(times(cell.Label).P50, times(cell.Label).P99)),
        ];
}
