using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

/// <summary>The section of a sweep: curves, law, map and the degree to use.</summary>
public sealed class SweepSectionTests
{
    [Fact]
    public async Task The_map_has_every_point_of_the_sweep_and_marks_the_degree_to_use()
    {
        var result = await SweptAsync();
        var section = GetSection(result);
        var cells = section.Descendants("span").Where(static span => (string?)span.Attribute("class") == "heat").ToList();

        var points = result.Sweep!.SelectMany(static one => one.Degrees).ToList();
        Assert.Equal(
            points.Select(static point => Figures.Exact(point.EventsPerS)),
            cells.Select(static cell => (string?)cell.Element("data")?.Attribute("value"))
        );
        Assert.Equal(
            result.Sweep!.SelectMany(static one => one.Degrees.Select(degree => degree.Degree == one.Recommended)),
            cells.Select(static cell => cell.Value.StartsWith('✓'))
        );
        var shades = cells.Select(static cell => double.Parse(((string)cell.Attribute("style")!).Split(' ')[1], CultureInfo.InvariantCulture)).ToList();
        Assert.Equal(0.45, shades.Max());
        Assert.All(shades, static shade => Assert.InRange(shade, 0, 0.45));
    }

    [Fact]
    public async Task The_curves_have_the_law_beside_them_and_the_sentences_are_below()
    {
        var result = await SweptAsync();
        var section = GetSection(result);

        Assert.Equal(2 * 2 * result.Sweep!.Count, section.Descendants("path").Count(static path => (string?)path.Attribute("class") == "curve"));
        Assert.All(
            result.Sweep,
            one => Assert.Contains(one.Sentence.Replace(":batch=", ", batch ", StringComparison.Ordinal), section.Value, StringComparison.Ordinal)
        );
        Assert.All(result.Sweep, one => Assert.NotNull(one.Law));
    }

    [Fact]
    public async Task A_comparison_that_is_not_a_sweep_has_no_sweep_section() =>
        Assert.DoesNotContain("id=\"sweep\"", HtmlReport.Of(await ReportedComparisons.WholeAsync()), StringComparison.Ordinal);

    private static XElement GetSection(ComparisonResult result) =>
        XDocument.Parse(HtmlReport.Of(result)).Descendants("section").Single(static section => (string?)section.Attribute("id") == "sweep");
}
