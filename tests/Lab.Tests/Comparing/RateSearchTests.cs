using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>The search for the largest rate that a strategy keeps, over simulated runs.</summary>
public sealed class RateSearchTests
{
    private readonly List<string> said = [];

    [Fact]
    public async Task The_search_starts_at_the_rate_of_the_model_and_names_every_run()
    {
        var plan = await PlanAsync("--strategies=baseline", "--profile=article-constant", "--sustainable");
        List<string> names = [];

        var cell = await SearchAsync(plan, (rate, one) => Sent(names, one, rate, rate, rate > 30));

        // The model has 35.3 for these latencies and this batch.
        Assert.InRange(cell.Search!.Runs[0].RatePerS, 0.8 * 32, 0.8 * 36);
        Assert.Equal(RateSearchEnd.Found, cell.Search.End);
        Assert.InRange(cell.Search.KeptPerS!.Value, 30 / SustainableRateSearch.Precision, 30);
        Assert.InRange(cell.Search.NotKeptPerS!.Value, 30, 30 * SustainableRateSearch.Precision);
        Assert.Equal(cell.Search.KeptPerS, ComparedFigure.Of(cell.Result, plan.By));
        Assert.Null(cell.Apart);
        Assert.Equal(names.Count, names.Distinct().Count());
        Assert.Equal(cell.Search.Runs.Count, said.Count);
        Assert.Contains(said, static line => line.EndsWith("events/s: growing lag, 20 % of the time", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_rate_that_the_sender_did_not_reach_is_a_bound_and_withholds_the_conclusion()
    {
        var plan = await PlanAsync("--strategies=baseline", "--sustainable");

        var cell = await SearchAsync(plan, static (rate, one) => Sent([], one, rate, Math.Min(rate, 100), false));

        Assert.Equal((RateSearchEnd.InputBound, RateBound.Input), (cell.Search!.End, cell.Result!.Bounds.Bound));
        Assert.InRange(cell.Search.KeptPerS!.Value, 95, 102);
    }

    [Fact]
    public async Task A_search_without_a_rate_is_excluded_with_its_reason()
    {
        var plan = await PlanAsync("--strategies=baseline", "--sustainable");

        var none = await SearchAsync(plan, static (rate, one) => Sent([], one, rate, rate, true));
        var failed = await SearchAsync(
            plan,
            static (_, one) =>
                new FinishedCell(one, null, new CellEvidence([]), "its consumer ended with code 4: gone") { Hub = new CellHub("hub", "run", "ledger") }
        );

        Assert.StartsWith("it does not sustain 4.4 events/s", none.Apart, StringComparison.Ordinal);
        Assert.EndsWith("events/s had no result: its consumer ended with code 4: gone", failed.Apart, StringComparison.Ordinal);
        Assert.Equal(2, failed.Search!.Runs.Count);
    }

    [Fact]
    public async Task Rates_that_are_sustained_are_compared_as_rates()
    {
        var plan = await PlanAsync("--strategies=combined,pipelined", "--sustainable", "--repeats=5", "--measure=5s", "--warm-up=2s");
        IReadOnlyList<ComparedCell> cells =
        [
            .. Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([100, 250], 5)])
                .Select(static cell =>
                    cell with
                    {
                        Search = new SearchedRate
                        {
                            KeptPerS = cell.Result!.Throughput.EventsPerS,
                            NotKeptPerS = cell.Result.Throughput.EventsPerS + 3,
                            End = RateSearchEnd.Found,
                            Runs = [],
                        },
                        Result = cell.Result with { Input = cell.Result.Input with { RateIntendedPerS = cell.Result.Throughput.EventsPerS } },
                    }
                ),
        ];
        await using var text = new StringWriter();

        var result = GetResult(plan, cells);
        ComparisonText.Write(result, 200, text);

        Assert.Equal((ComparedBy.Sustained, null), (result.Settings.ComparedBy, result.Settings.Rate));
        Assert.StartsWith(
            "pipelined is 2.5 x as fast as combined (250.0 against 100.0 events/s sustained, 2.50 to 2.50, faster in 5 of 5 blocks).",
            result.Sentences[0],
            StringComparison.Ordinal
        );
        Assert.Contains(
            result.Sentences,
            static one => one.EndsWith("combined 100.0, not sustained 103.0, pipelined 250.0, not sustained 253.0.", StringComparison.Ordinal)
        );
        Assert.Equal([103, 253], result.Strategies.Select(static one => one.NotKeptPerS!.Value));
        Assert.Contains("sustained/s", $"{text}", StringComparison.Ordinal);
        Assert.Contains("not sustained", $"{text}", StringComparison.Ordinal);

        var report = MarkdownReport.Of(result);
        Assert.Contains("| strategy | sustained/s |", report, StringComparison.Ordinal);
        Assert.Contains("- A strategy may not keep its rate for longer: each run of a search measured 5 s.", report, StringComparison.Ordinal);
        Assert.DoesNotContain("hub was filled before", report, StringComparison.Ordinal);
    }

    private Task<FinishedCell> SearchAsync(ComparisonPlan plan, Func<double, Cell, FinishedCell> run) =>
        new RateSearch(plan, (at, one, _) => Task.FromResult(run(Assert.Single(at.Rates!).PerSecond, one)), said.Add).RunAsync(
            new Cell(plan.Reference, 0, 0, new CellNames(plan.Id, 3)),
            TestContext.Current.CancellationToken
        );

    private static FinishedCell Sent(List<string> names, Cell cell, double rate, double achieved, bool fallsBehind)
    {
        names.Add(cell.Names.Run);
        var made = MadeUpComparison.Cell("baseline", 0, 0, rate).Sent(20, 50, fallsBehind).Result!;
        var sent = MadeUpComparison.Sent(achieved, rate, 0);
        return new FinishedCell(cell, made with { Input = made.Input with { RateIntendedPerS = rate } }, new CellEvidence([]), null)
        {
            Hub = new CellHub("hub", cell.Names.Run, "ledger"),
            Sent = sent,
        };
    }
}
