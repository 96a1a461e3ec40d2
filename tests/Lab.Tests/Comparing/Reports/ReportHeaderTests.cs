using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

/// <summary>The first screen of a report.</summary>
public sealed class ReportHeaderTests
{
    [Fact]
    public async Task The_answer_is_followed_by_its_price_the_rates_the_events_and_the_command()
    {
        var header = GetHeader(await WholeAsync());

        Assert.Equal(["kicker", "", "lead", "rates", "events", "next", "sentences", "excluded"], header.Elements().Select(GetClass));
        Assert.StartsWith("pipelined and adaptive are the fastest.", header.Element("h1")!.Value, StringComparison.Ordinal);
        Assert.Contains("x baseline", GetPart(header, "rates").Value, StringComparison.Ordinal);
        Assert.StartsWith(
            "consumer run --strategy pipelined --degree 16 --batch 10\n",
            GetPart(header, "next").Element("pre")!.Value,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("--handler", "Mine.dll")]
    [InlineData("--write=http=40ms")]
    public async Task A_comparison_of_other_writes_has_no_command_of_a_run(params string[] arguments)
    {
        var result = await WholeAsync();
        var header = GetHeader(result with { Comparison = result.Comparison with { Arguments = ["compare", .. arguments] } });

        Assert.StartsWith("await using var pump = ", GetPart(header, "next").Element("pre")!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sentences_about_cells_that_do_not_count_are_folded_below_one_line()
    {
        var header = GetHeader(await CutShortAsync());
        var folded = GetPart(header, "excluded");

        Assert.Equal("3 of 4 cells excluded: which and why", folded.Element("summary")!.Value);
        Assert.Null(folded.Attribute("open"));
        Assert.Contains("35.6 %", folded.Value, StringComparison.Ordinal);
        folded.Remove();
        Assert.DoesNotContain("35.6 %", header.Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_withheld_answer_has_its_reason_in_the_heading_and_the_cells_folded()
    {
        var plan = await PlanAsync("--strategies=baseline,combined");
        var header = GetHeader(GetResult(plan, [.. Blocks(plan, [30, 150]).Select(MissProfile)]));

        Assert.Matches(@"^No answer: this machine was too busy( \(.*\))? in 3 of 3 cells\.$", header.Element("h1")!.Value);
        Assert.DoesNotContain("lead", header.Elements().Select(GetClass));
        Assert.Contains("baseline (20.0 % off)", GetPart(header, "excluded").Value, StringComparison.Ordinal);
        Assert.StartsWith("The model predicts", GetPart(header, "sentences").Elements().First().Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_the_other_cells_answer_is_below_the_reason()
    {
        var plan = await PlanAsync("--strategies=baseline,combined,pipelined");
        var header = GetHeader(GetResult(plan, [.. Blocks(plan, [30, 150, 2_700]).Select(static cell => cell.Label == "combined" ? MissProfile(cell) : cell)]));

        Assert.StartsWith("The answer is incomplete: this machine was too busy", header.Element("h1")!.Value, StringComparison.Ordinal);
        Assert.StartsWith("Of the cells that count: pipelined was 90.0 x", GetPart(header, "lead").Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_sweep_has_its_winner_as_heading_and_each_series_at_the_degree_to_use()
    {
        var result = await SweptAsync();
        var header = GetHeader(result);

        Assert.StartsWith(
            "Use pipelined, batch 100, degree 64: 2,160 events/s, 2.0 x as fast as pipelined, batch 10, degree 32 (an indication",
            header.Element("h1")!.Value,
            StringComparison.Ordinal
        );
        Assert.Equal(
            result.Sweep!.Select(static one => ShortNames.Of(one.PointToUse!.Label)).Reverse(),
            GetPart(header, "rates").Elements("li").Select(static row => row.Element("span")!.Value)
        );
        Assert.DoesNotContain(":batch=", header.Value, StringComparison.Ordinal);
        Assert.DoesNotContain("the law", header.Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_events_of_a_strategy_are_drawn_from_their_first_write_on()
    {
        var events = GetPart(GetHeader(await WholeAsync()), "events");

        Assert.Equal("Why: 12 consecutive events took 20.8 ms with pipelined and 349.0 ms with baseline.", events.Element("p")!.Value);
        var last = events
            .Descendants("rect")
            .Elements("title")
            .Select(static title => title.Value)
            .Where(static title => title.StartsWith("event 111", StringComparison.Ordinal));
        Assert.Equal(
            [
                .. Enumerable.Repeat(("event 111, message: 2.75 to 20.8 ms", "event 111, blob: 2.75 to 11.8 ms"), 3),
                ("event 111, message: 322.0 to 340.0 ms", "event 111, blob: 340.0 to 349.0 ms"),
            ],
            last.Chunk(2).Select(static pair => (pair[0], pair[1]))
        );
        Assert.EndsWith("A grey area is a checkpoint write.", events.Elements("p").Last().Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_events_are_those_of_the_cell_whose_rate_is_nearest_to_the_median()
    {
        var result = await WholeAsync();
        var median = result.Strategies[0].EventsPerS;
        var other = result with
        {
            Cells =
            [
                .. result.Cells.Select(cell =>
                    cell.Label == "baseline" && cell.Result!.Throughput.EventsPerS != median
                        ? cell with
                        {
                            Result = cell.Result with { Sample = Samples.Concurrent() },
                        }
                        : cell
                ),
            ],
        };

        Assert.Contains("349.0 ms with baseline", GetHeader(other).Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_result_of_an_earlier_version_has_no_events()
    {
        var result = await WholeAsync();
        var earlier = result with { Cells = [.. result.Cells.Select(static cell => cell with { Result = cell.Result! with { Sample = null } })] };

        Assert.DoesNotContain("events", GetHeader(earlier).Elements().Select(GetClass));
    }

    [Fact]
    public async Task Events_that_are_not_complete_are_not_drawn()
    {
        var result = await WholeAsync();
        var sample = Samples.InTurn();
        var cut = sample with { Events = [.. sample.Events.Take(11), sample.Events[11] with { CompletedMs = null }] };
        var ended = result with { Cells = [.. result.Cells.Select(cell => cell with { Result = cell.Result! with { Sample = cut } })] };

        Assert.DoesNotContain("events", GetHeader(ended).Elements().Select(GetClass));
    }

    private static ComparedCell MissProfile(ComparedCell cell) =>
        cell with
        {
            Apart = "the latencies of the emulator were 20.0 % off the profile: this machine was too busy",
            ProfileMissedBy = 0.2,
        };

    private static XElement GetHeader(ComparisonResult result) =>
        XDocument.Parse(HtmlReport.Of(result), LoadOptions.PreserveWhitespace).Root!.Element("body")!.Element("header")!;

    private static string GetClass(XElement part) => (string?)part.Attribute("class") ?? "";

    private static XElement GetPart(XElement header, string kind) => header.Elements().Single(part => GetClass(part) == kind);
}
