using System.Text;
using System.Text.Json.Nodes;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class MarkdownReportTests
{
    [Theory]
    [InlineData(nameof(WholeAsync))]
    [InlineData(nameof(OneBlockAsync))]
    [InlineData(nameof(CutShortAsync))]
    [InlineData(nameof(NothingAsync))]
    [InlineData(nameof(HostileAsync))]
    public async Task Every_row_of_a_table_has_its_columns(string name)
    {
        var columns = 0;
        foreach (var line in MarkdownReport.Of(await OfAsync(name)).Split('\n'))
        {
            var own = line.StartsWith('|') ? line.Replace("\\|", "", StringComparison.Ordinal).Count(static letter => letter == '|') : 0;
            Assert.True(own == 0 || columns == 0 || own == columns, line);
            columns = own;
        }
    }

    [Fact]
    public async Task The_answer_comes_first_then_the_strategies_as_they_were_named()
    {
        var result = await WholeAsync();
        var lines = MarkdownReport.Of(result).Split('\n');

        Assert.StartsWith("# pipelined ", lines[2], StringComparison.Ordinal);
        Assert.Equal(["baseline", "combined", "pipelined", "adaptive"], lines.Skip(6).Take(4).Select(static line => line.Split(" | ")[0].TrimStart('|', ' ')));
        Assert.Contains("| 30.3 | ", lines[6], StringComparison.Ordinal);
        Assert.Contains("2,705", lines[8], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_result_of_an_earlier_version_has_fewer_figures_and_is_reported()
    {
        var document = JsonNode.Parse(ResultJson.Write(await WholeAsync()))!;
        foreach (var strategy in document["strategies"]!.AsArray())
        {
            strategy!.AsObject().Remove("figures");
        }

        var text = MarkdownReport.Of(ResultJson.Read<ComparisonResult>(Encoding.UTF8.GetBytes(document.ToJsonString())));

        Assert.Contains("B allocated", MarkdownReport.Of(await WholeAsync()), StringComparison.Ordinal);
        Assert.DoesNotContain("B allocated", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failed_verdict_and_an_interrupted_comparison_are_marked()
    {
        var text = MarkdownReport.Of(await CutShortAsync());

        Assert.Contains("**FAILED**", text, StringComparison.Ordinal);
        Assert.Contains("**This comparison was interrupted.", text, StringComparison.Ordinal);
        Assert.Contains("excluded: its process ended with code 4", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_open_loop_has_the_time_from_the_scheduled_send_time()
    {
        var lines = MarkdownReport.Of(await OpenLoopAsync()).Split('\n');

        Assert.Contains(lines, static line => line.Contains("| p50 since scheduled ms | p99 since scheduled ms | growing lag in |", StringComparison.Ordinal));
        Assert.Contains(
            lines,
            static line => line.StartsWith("| pipelined |", StringComparison.Ordinal) && line.Contains("| 41.3 | 62.0 | 0 |", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Directional_marks_and_control_characters_are_left_out() =>
        Assert.Equal(
            "gnp.exe  ]0;title  ".Replace("]", "\\]", StringComparison.Ordinal),
            MarkdownTable.Encode("\u202Egnp\u202C.exe \u001b]0;title\u0007\u009b")
        );

    [Fact]
    public async Task A_version_from_outside_ends_no_comment()
    {
        var result = await HostileAsync();

        var text = MarkdownReport.Of(result with { Program = result.Program with { Version = "1 --><script>" } });

        Assert.StartsWith("<!-- EventHubThroughput 1 --&gt;&lt;script&gt; -->\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_from_outside_is_a_text_and_nothing_else()
    {
        var text = MarkdownReport.Of(await HostileAsync());

        Assert.DoesNotContain("<script", text, StringComparison.Ordinal);
        Assert.Contains("combined:&lt;script&gt;alert(\"1\")&lt;/script&gt;\\|&amp;'\\`\\*\\_,  \\]\\]&gt;", text, StringComparison.Ordinal);
    }
}
