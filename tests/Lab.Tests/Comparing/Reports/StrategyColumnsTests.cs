using System.Text.Json;
using System.Text.Json.Nodes;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Columns;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class StrategyColumnsTests
{
    [Theory]
    [InlineData(nameof(WholeAsync))]
    [InlineData(nameof(OneBlockAsync))]
    [InlineData(nameof(OpenLoopAsync))]
    public async Task Terminal_Markdown_and_HTML_have_the_columns_of_the_list(string name)
    {
        var result = await OfAsync(name);
        var columns = StrategyColumns.Of(result);
        var titles = columns.Select(static column => column.Title).ToList();
        await using var text = new StringWriter();
        ComparisonText.Write(result, 1000, text);

        Assert.Contains($"{text}".Split('\n'), line => titles.SequenceEqual(GetCells(line)));
        Assert.Contains(MarkdownReport.Of(result).Split('\n'), line => line == $"| {string.Join(" | ", titles.Select(MarkdownTable.Encode))} |");
        var table = HtmlReport.Of(result);
        Assert.All(titles, title => Assert.Contains($">{title}</th>", table, StringComparison.Ordinal));
        foreach (var row in result.Strategies)
        {
            Assert.Contains($"{text}".Split('\n'), line => columns.Select(column => Figures.Ascii(column.Of(row))).SequenceEqual(GetCells(line)));
        }

        static string[] GetCells(string line) => line.Split("  ", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
    }

    [Fact]
    public async Task A_measured_column_is_a_figure_of_the_JSON()
    {
        var result = await WholeAsync();

        var strategies = JsonNode.Parse(ResultJson.Write(result))!["strategies"]!.AsArray();

        Assert.NotEmpty(StrategyColumns.Measured);
        Assert.All(
            strategies,
            static one =>
                Assert.Equal(StrategyColumns.Measured.Select(static column => column.Name), one!["figures"]!.AsObject().Select(static member => member.Key))
        );
        Assert.All(strategies, static one => Assert.Equal(JsonValueKind.Number, one!["figures"]!["allocatedBytesPerEvent"]!.GetValueKind()));
    }

    [Fact]
    public async Task A_column_that_is_empty_in_every_row_is_left_out()
    {
        var result = await WholeAsync();

        Assert.DoesNotContain(StrategyColumns.Of(result), static column => column.Title is "not sustained" or "checkpoint cost" or "p50 since scheduled ms");
    }
}
