using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class HtmlReportTests
{
    public static TheoryData<string> Every =>
        [
            nameof(WholeAsync),
            nameof(OpenLoopAsync),
            nameof(LongNamesAsync),
            nameof(OneBlockAsync),
            nameof(CutShortAsync),
            nameof(NothingAsync),
            nameof(HostileAsync),
        ];

    [Theory]
    [MemberData(nameof(Every))]
    public async Task Is_well_formed_loads_nothing_and_runs_nothing(string name)
    {
        var text = HtmlReport.Of(await OfAsync(name));
        var report = XDocument.Parse(text);

        Assert.DoesNotContain("script", report.Descendants().Select(static element => element.Name.LocalName));
        Assert.DoesNotContain(
            report.Descendants().Attributes(),
            static attribute => attribute.Name.LocalName is "src" or "srcset" or "style" || attribute.Name.LocalName.StartsWith("on", StringComparison.Ordinal)
        );
        Assert.All(report.Descendants().Attributes("href"), static link => Assert.StartsWith("#", link.Value, StringComparison.Ordinal));
        Assert.DoesNotContain("url(", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("@import", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("http:", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("https:", text, StringComparison.OrdinalIgnoreCase);
        Assert.StartsWith(
            "default-src 'none';",
            (string)report.Descendants("meta").Single(static meta => (string?)meta.Attribute("http-equiv") == "Content-Security-Policy").Attribute("content")!,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [MemberData(nameof(Every))]
    public async Task Every_link_leads_somewhere_and_every_chart_has_a_name(string name)
    {
        var report = XDocument.Parse(HtmlReport.Of(await OfAsync(name)));
        var ids = report.Descendants().Attributes("id").Select(static id => id.Value).ToList();

        Assert.Equal(ids.Distinct(StringComparer.Ordinal), ids);
        Assert.All(report.Descendants().Attributes("href"), link => Assert.Contains(link.Value[1..], ids));
        Assert.All(report.Descendants().Attributes("aria-labelledby"), label => Assert.Contains(label.Value, ids));
        Assert.All(
            report.Descendants("figure"),
            static figure =>
            {
                Assert.Equal(["chart wide", "chart narrow"], figure.Elements("svg").Select(static svg => (string)svg.Attribute("class")!));
                Assert.All(figure.Elements("svg"), static svg => Assert.Equal("img", (string?)svg.Attribute("role")));
                Assert.All(figure.Elements("svg"), static svg => Assert.NotEmpty((string)svg.Attribute("aria-label")!));
            }
        );
        Assert.All(report.Descendants("table"), static table => Assert.NotEmpty(table.Element("caption")!.Value));
    }

    [Theory]
    [MemberData(nameof(Every))]
    public async Task A_drawing_has_numbers_only(string name)
    {
        var text = HtmlReport.Of(await OfAsync(name));

        Assert.DoesNotContain("NaN", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Infinity", text, StringComparison.Ordinal);
        Assert.DoesNotContain("∞", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_figures_of_the_strategies_are_those_of_the_JSON()
    {
        var result = await WholeAsync();
        var table = Table(await ReportAsync(result), "strategies");
        var heads = table.Descendants("th").Where(static head => (string?)head.Attribute("scope") == "col").Select(static head => head.Value).ToList();
        var rows = table.Element("tbody")!.Elements("tr").ToDictionary(static row => row.Element("th")!.Value, StringComparer.Ordinal);

        Assert.Equal(result.Strategies.OrderByDescending(static one => one.EventsPerS).Select(static one => one.Label), rows.Keys);
        foreach (var one in result.Strategies)
        {
            var cells = rows[one.Label].Elements().Select(static cell => Data(cell)).ToList();
            Assert.Equal([one.EventsPerS], Under("events/s"));
            Assert.Equal([one.EventsPerS95!.Low, one.EventsPerS95.High], Under("95 % interval"));
            Assert.Equal([one.Ratio], Under("x baseline"));
            Assert.Equal(one.Ratio95 is { } ends ? new double?[] { ends.Low, ends.High } : [], Under("ratio 95 % interval"));
            Assert.Equal(Given(one.MeasuredToPredicted), Under("of model"));
            Assert.Equal(Given(one.EventP50Ms), Under("p50 ms"));
            Assert.Equal(Given(one.EventP99Ms), Under("p99 ms"));
            Assert.Equal([one.RepeatsAtMost], Under("repeats at most"));
            Assert.Equal(Given(one.ConsumerCpuUsPerEvent), Under("CPU us"));
            Assert.Equal([one.Cells], Under("cells"));

            double?[] Under(string head) => cells[heads.IndexOf(head)];
        }
    }

    [Fact]
    public async Task The_figures_of_the_cells_are_those_of_the_JSON()
    {
        var result = await WholeAsync();
        var rows = Table(await ReportAsync(result), "cells").Element("tbody")!.Elements("tr").ToList();

        Assert.Equal(result.Cells.Select(static cell => cell.Label), rows.Select(static row => row.Element("th")!.Value));
        Assert.Equal(
            result.Cells.Select(static cell => (cell.Block + 1.0, cell.OrderInBlock + 1.0, cell.Result!.Throughput.EventsPerS!.Value)),
            rows.Select(static row => row.Elements("td").SelectMany(Data).Take(3).ToList() is [{ } block, { } place, { } rate] ? (block, place, rate) : default)
        );
    }

    [Fact]
    public async Task Bars_of_the_first_screen_are_proportional_to_the_rates()
    {
        var result = await WholeAsync();
        var rows = (await ReportAsync(result)).Descendants("ul").Single(static list => (string?)list.Attribute("class") == "rates").Elements("li").ToList();

        var rates = result.Strategies.Select(static one => one.EventsPerS!.Value).OrderDescending().ToList();
        Assert.Equal(
            rates.Select(rate => Math.Round(1000 * rate / rates[0])),
            rows.Select(static row => Math.Round(double.Parse((string)row.Descendants("rect").Single().Attribute("width")!, CultureInfo.InvariantCulture)))
        );
        Assert.All(rows, static row => Assert.Contains("✓ clean", row.Value, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Next_command_has_the_fastest_strategy_and_its_event_pump()
    {
        var result = await WholeAsync();

        var code = (await ReportAsync(result)).Descendants("code").First().Value.Split('\n');

        var best = result.Strategies.MaxBy(static one => one.EventsPerS)!;
        Assert.StartsWith($"consumer run --strategy {best.Name} --degree ", code[0], StringComparison.Ordinal);
        Assert.StartsWith("await using var pump = EventPump.", code[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Next_command_is_absent_while_an_excluded_strategy_may_be_faster()
    {
        var result = await WholeAsync();
        var excluded = result with { Strategies = [.. result.Strategies.Select(static one => one with { Excluded = new ExcludedFigures { Cells = 1 } })] };

        Assert.DoesNotContain("Next, with", (await ReportAsync(excluded)).Root!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_from_outside_is_a_text_and_nothing_else()
    {
        var report = await ReportAsync(await HostileAsync());

        Assert.Contains(report.Descendants("th"), static head => head.Value == Hostile.Replace('\u0007', '\uFFFD'));
        Assert.DoesNotContain("<script", HtmlReport.Of(await HostileAsync()), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task An_interrupted_comparison_is_marked_first_and_draws_no_missing_data()
    {
        var report = await ReportAsync(await CutShortAsync());

        Assert.Contains("interrupted", report.Descendants("header").Single().Value, StringComparison.Ordinal);
        Assert.Contains("✗ failed", report.Descendants("header").Single().Value, StringComparison.Ordinal);
        Assert.Contains("its process ended with code 4", Section(report, "cells").Value, StringComparison.Ordinal);
        Assert.Contains("it was interrupted", Section(report, "conclusions").Value, StringComparison.Ordinal);
        Assert.Contains("Intervals need five usable blocks", Section(report, "throughput").Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Every_form_is_known_again_as_a_file_of_ours()
    {
        var result = await HostileAsync();

        Assert.All(
            [HtmlReport.Of(result), MarkdownReport.Of(result), CsvReport.Of(result)],
            static text => Assert.True(OutputKind.Report.IsBeginOf(Encoding.UTF8.GetBytes(text[..2000])))
        );
    }

    [Fact]
    public async Task The_build_that_measured_and_the_build_that_rendered_are_named_apart()
    {
        var result = await WholeAsync();
        var report = await ReportAsync(result with { Program = result.Program with { Version = "0.0.1", Commit = "abcdef", Dirty = false } });
        var environment = Section(report, "environment");
        var named = environment
            .Descendants("dt")
            .Zip(environment.Descendants("dd"))
            .ToDictionary(static one => one.First.Value, static one => one.Second.Value);

        Assert.StartsWith("0.0.1, commit abcdef, clients ", named["measured by"], StringComparison.Ordinal);
        Assert.Equal(BuildName.OfThisProcess, named["rendered by"]);
        Assert.DoesNotContain("abcdef", named["rendered by"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Members_that_results_of_earlier_versions_do_not_have_are_empty()
    {
        var written = JsonNode.Parse(ResultJson.Write(await WholeAsync()))!;
        foreach (var strategy in written["strategies"]!.AsArray())
        {
            strategy!.AsObject().Remove("figures");
        }

        foreach (var result in written["cells"]!.AsArray().Select(static cell => cell!["result"]!))
        {
            result["time"]!.AsObject().Remove("windows");
            result["errors"]!.AsObject().Remove("sinks");
            result["program"]!.AsObject().Remove("packages");
            result["strategy"]!.AsObject().Remove("options");
        }

        var read = ResultJson.Read<ComparisonResult>(Encoding.UTF8.GetBytes(written.ToJsonString()));

        Assert.Equal(4, Table(await ReportAsync(read), "strategies").Element("tbody")!.Elements("tr").Count());
        Assert.All(read.Strategies, static one => Assert.Empty(one.Figures));
        Assert.All(
            read.Cells.Select(static cell => cell.Result!),
            static result =>
            {
                Assert.Empty(result.Time.Windows);
                Assert.Empty(result.Errors.Sinks);
                Assert.Empty(result.Program.Packages);
                Assert.Empty(result.Strategy.Options);
            }
        );
    }

    [Fact]
    public async Task A_sentence_gives_the_reason_where_there_is_nothing_to_draw()
    {
        var report = await ReportAsync(await NothingAsync());

        Assert.Empty(report.Descendants("figure"));
        Assert.All(
            ["throughput", "pairs", "latency", "stages", "time", "model", "in-flight", "profile", "processor", "threads", "cells"],
            id => Assert.Contains(Section(report, id).Descendants("p"), static text => (string?)text.Attribute("class") == "none" && text.Value.Length > 10)
        );
    }

    [Fact]
    public async Task Everything_that_is_there_is_drawn()
    {
        var report = await ReportAsync(await WholeAsync());

        Assert.DoesNotContain(report.Descendants("p"), static text => (string?)text.Attribute("class") == "none");
        Assert.Equal(
            [1, 1, 2, 1, 1, 3, 1, 1, 1],
            ((string[])["throughput", "latency", "stages", "time", "model", "in-flight", "profile", "processor", "threads"]).Select(id =>
                Section(report, id).Descendants("figure").Count()
            )
        );
        Assert.All(
            ["throughput", "time", "profile"],
            id =>
                Assert.All(
                    ["baseline", "combined", "pipelined", "adaptive"],
                    name => Assert.Contains(StrategyColours.Of(name).Colour, Section(report, id).ToString(), StringComparison.Ordinal)
                )
        );
    }

    [Fact]
    public async Task An_open_loop_shows_the_time_from_the_scheduled_send_time()
    {
        var result = await OpenLoopAsync();
        var report = await ReportAsync(result);
        var table = Table(report, "strategies");
        var heads = table.Descendants("th").Where(static head => (string?)head.Attribute("scope") == "col").Select(static head => head.Value).ToList();

        Assert.Equal(["pipelined", "combined", "baseline"], table.Element("tbody")!.Elements("tr").Select(static row => row.Element("th")!.Value));
        Assert.Equal([41.25, 90.5, 4000], Column("p50 since scheduled ms"));
        Assert.Equal([62, 140.25, 9000], Column("p99 since scheduled ms"));
        Assert.Equal([0, 0, 10], Column("growing lag in"));
        Assert.Equal([2, 2], ((string[])["latency", "time"]).Select(id => Section(report, id).Descendants("figure").Count()));
        Assert.Contains("from the scheduled send time", Section(report, "latency").Descendants("svg").First().ToString(), StringComparison.Ordinal);
        Assert.Contains("events were sent at 120/s", Section(report, "conclusions").Value, StringComparison.Ordinal);
        Assert.DoesNotContain("hub was filled before", report.Root!.Value, StringComparison.Ordinal);

        double?[] Column(string head) => [.. table.Element("tbody")!.Elements("tr").SelectMany(row => Data(row.Elements().ElementAt(heads.IndexOf(head))))];
    }

    [Fact]
    public async Task Every_figure_of_every_cell_is_that_of_the_CSV_form()
    {
        var result = await OpenLoopAsync();
        var raw = Section(await ReportAsync(result), "cells").Descendants("details").Single(static one => (string?)one.Attribute("class") == "raw");
        var lines = CsvReport.Of(result).Split("\r\n", StringSplitOptions.RemoveEmptyEntries);

        // None of these figures holds a comma, and the names of the comparison itself come before them.
        var names = raw.Descendants("th").Where(static head => (string?)head.Attribute("scope") == "col").Select(static head => head.Value).ToList();
        Assert.EndsWith(string.Join(',', names), lines[0], StringComparison.Ordinal);
        Assert.All(
            raw.Descendants("tbody").Single().Elements("tr").Zip(lines.Skip(1)),
            static row => Assert.EndsWith(string.Join(',', row.First.Elements().Select(static cell => cell.Value)), row.Second, StringComparison.Ordinal)
        );
    }

    private static Task<XDocument> ReportAsync(ComparisonResult result) =>
        Task.FromResult(XDocument.Parse(HtmlReport.Of(result), LoadOptions.PreserveWhitespace));

    private static XElement Section(XDocument report, string id) => report.Descendants("section").Single(section => (string?)section.Attribute("id") == id);

    private static XElement Table(XDocument report, string section) => Section(report, section).Descendants("table").First();

    private static double?[] Data(XElement cell) =>
        [.. cell.Elements("data").Select(static data => (double?)double.Parse((string)data.Attribute("value")!, CultureInfo.InvariantCulture))];

    private static double?[] Given(double? value) => value is null ? [] : [value];
}
