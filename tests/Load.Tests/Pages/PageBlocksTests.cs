using EventHubThroughput.Load.Pages;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Load.Tests.Pages;

public sealed class PageBlocksTests
{
    private const string Page = """
        # Page

        <!-- begin: data/a.csv -->
        old
        <!-- end -->

        | a | <!-- begin: data/a.csv rows -->1<!-- end --> of <!-- begin: data/none.csv rows -->7<!-- end --> |
        """;

    private static readonly CsvTable Table = CsvTable.Parse("name,count,of\n\"a, b\",\"1,200\",ok\nc,34,\n");

    [Fact]
    public void Blocks_and_figures_are_replaced_and_all_else_remains() =>
        Assert.Equal(
            """
            # Page

            <!-- begin: data/a.csv -->
            new
            <!-- end -->

            | a | <!-- begin: data/a.csv rows -->new<!-- end --> of <!-- begin: data/none.csv rows -->7<!-- end --> |
            """,
            PageBlocks.Render(Page, static block => block.File == "data/a.csv" ? "new" : null)
        );

    [Theory]
    [InlineData("# Page\n")]
    [InlineData("<!-- begin: a.csv -->")]
    [InlineData("<!-- begin: a.csv")]
    public void A_page_without_a_whole_part_remains(string page) => Assert.Equal(page, PageBlocks.Render(page, static _ => "new"));

    [Fact]
    public void Parts_can_be_removed() => Assert.Equal("# Page\n\n\n\n| a |  of  |", PageBlocks.Remove(Page));

    [Fact]
    public void A_part_has_its_file_its_view_and_its_text() =>
        Assert.Equal(
            [("data/a.csv", "", false), ("data/a.csv", "rows", true), ("data/none.csv", "rows", true)],
            PageBlocks.Find(Page).Select(static block => (block.File, block.View, block.IsInline))
        );

    [Theory]
    [InlineData("", "| name | count | of |\n|---|--:|---|\n| a, b | 1,200 | ok |\n| c | 34 |  |")]
    [InlineData("rows", "2")]
    [InlineData("rows of=ok", "1")]
    [InlineData("rows of=", "1")]
    [InlineData("sum count", "1,234")]
    [InlineData("cell c; count", "34")]
    [InlineData("cell c; cou", "34")]
    [InlineData("only c", "| name | count | of |\n|---|--:|---|\n| c | 34 |  |")]
    public void A_table_has_views(string view, string expected) => Assert.Equal(expected, Table.Render(view));

    [Theory]
    [InlineData("mean count", "view 'mean count': unknown")]
    [InlineData("cell d; count", "row 'd': not in the table")]
    [InlineData("sum size", "column 'size': not in the table")]
    public void A_view_that_does_not_exist_is_refused(string view, string problem) =>
        Assert.StartsWith(problem, Assert.Throws<UsageException>(() => Table.Render(view)).Message, StringComparison.Ordinal);
}
