using System.Globalization;
using System.Text;
using EventHubThroughput.Lab.Comparing.Reports;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class CsvReportTests
{
    [Theory]
    [InlineData(nameof(WholeAsync))]
    [InlineData(nameof(CutShortAsync))]
    [InlineData(nameof(NothingAsync))]
    [InlineData(nameof(HostileAsync))]
    public async Task Each_line_is_a_cell_with_every_column(string name)
    {
        var result = await OfAsync(name);
        var text = CsvReport.Of(result);
        var lines = Parse(text);

        Assert.Equal(result.Cells.Count + 1, lines.Count);
        Assert.Equal(result.Cells.Count + 1, text.Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.All(lines, line => Assert.Equal(lines[0].Count, line.Count));
        Assert.Equal(lines[0].Distinct(StringComparer.Ordinal), lines[0]);
    }

    [Fact]
    public async Task The_figures_are_those_of_the_JSON_to_the_last_digit()
    {
        var result = await WholeAsync();
        var lines = Parse(CsvReport.Of(result));

        foreach (var (cell, line) in result.Cells.Zip(lines.Skip(1)))
        {
            Assert.Equal((cell.Label, cell.Label), (Under("label"), Under("strategy")));
            Assert.Equal((cell.Block, cell.OrderInBlock), (Number("block"), Number("place_in_block")));
            Assert.Equal(cell.Result!.Throughput.EventsPerS, Number("events_per_s"));
            Assert.Equal(cell.Result.Model?.PredictedEventsPerS, Number("predicted_events_per_s"));
            Assert.Equal(cell.Result.Stages["event"].P50Ms, Number("event_p50_ms"));
            Assert.Equal(cell.Result.Stages["servicebus"].MeanMs, Number("servicebus_mean_ms"));
            Assert.Equal(cell.Result.Resources.Consumer.CpuUsPerEvent, Number("consumer_cpu_us_per_event"));
            Assert.Equal(("true", "clean"), (Under("counts"), Under("verdict")));

            string Under(string name) => line[lines[0].IndexOf(name)];
            double? Number(string name) => Under(name) is { Length: > 0 } text ? double.Parse(text, CultureInfo.InvariantCulture) : null;
        }
    }

    [Fact]
    public async Task An_open_loop_has_its_rate_and_the_time_from_the_scheduled_send_time()
    {
        var lines = Parse(CsvReport.Of(await OpenLoopAsync()));

        var pipelined = lines.First(line => line[lines[0].IndexOf("label")] == "pipelined");
        Assert.Equal(
            ["120/s", "100", "100", "41.25", "62", "false"],
            ((string[])["rate", "rate_intended_per_s", "rate_achieved_per_s", "endtoend_p50_ms", "endtoend_p99_ms", "falls_behind"]).Select(name =>
                pipelined[lines[0].IndexOf(name)]
            )
        );
    }

    [Fact]
    public async Task A_cell_without_a_result_has_empty_figures_and_its_reason()
    {
        var lines = Parse(CsvReport.Of(await CutShortAsync()));

        Assert.Equal("its process ended with code 4", lines[3][lines[0].IndexOf("kept_apart_because")]);
        Assert.Equal(
            ("", "", "false"),
            (lines[3][lines[0].IndexOf("events_per_s")], lines[3][lines[0].IndexOf("verdict")], lines[3][lines[0].IndexOf("counts")])
        );
    }

    [Fact]
    public async Task A_label_with_quotes_commas_and_line_ends_stays_one_field()
    {
        var lines = Parse(CsvReport.Of(await HostileAsync()));

        Assert.Contains(lines, line => line[lines[0].IndexOf("label")] == Hostile.Replace('\n', ' '));
    }

    // By the grammar of RFC 4180.
    private static List<List<string>> Parse(string text)
    {
        List<List<string>> lines = [];
        List<string> line = [];
        var field = new StringBuilder();
        var isQuoted = false;
        for (var i = 0; i < text.Length; i++)
        {
            if (isQuoted && text[i] == '"')
            {
                isQuoted = i + 1 < text.Length && text[i + 1] == '"';
                _ = isQuoted ? field.Append(text[i++]) : field;
            }
            else if (isQuoted)
            {
                field.Append(text[i]);
            }
            else if (text[i] == '"')
            {
                isQuoted = true;
            }
            else if (text[i] is ',' or '\r')
            {
                line.Add(field.ToString());
                field.Clear();
                if (text[i] == '\r')
                {
                    lines.Add(line);
                    line = [];
                    i++;
                }
            }
            else
            {
                field.Append(text[i]);
            }
        }

        Assert.Empty(line);
        return lines;
    }
}
