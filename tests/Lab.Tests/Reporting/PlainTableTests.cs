using EventHubThroughput.Lab.Reporting;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class PlainTableTests
{
    [Fact]
    public void Cells_are_data_and_wide_characters_take_two_columns()
    {
        using var output = new StringWriter { NewLine = "\n" };

        var missing = PlainTable.Write(
            [new("name", ["[red]x[/]", "日本", "a\u001b[31m\nb"], IsText: true), new("rate", ["1", "22", "333"])],
            width: 80,
            output
        );

        Assert.Empty(missing);
        Assert.Equal(
            """
              name                rate
              [red]x[/]              1
              日本                  22
              a\u001b[31m\u000ab   333

            """,
            output.ToString()
        );
    }

    [Fact]
    public void Columns_of_the_highest_rank_are_left_out_and_named()
    {
        using var output = new StringWriter { NewLine = "\n" };

        var missing = PlainTable.Write([new("a", ["1"]), new("bbbb", ["2"], 2), new("cccc", ["3"], 1), new("dddd", ["4"], 2)], width: 10, output);

        Assert.Equal(["bbbb", "dddd"], missing);
        Assert.Equal("  a  cccc\n  1     3\n", output.ToString());
    }
}
