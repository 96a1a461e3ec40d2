using System.Globalization;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class StrategyColoursTests
{
    [Fact]
    public void Every_strategy_has_a_distinct_colour()
    {
        var names = StrategyCatalog.Names.Concat(StrategyCatalog.OfOfficialPackages).ToList();

        Assert.Equal(names.Order(StringComparer.Ordinal), StrategyColours.Known.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(names.Count, names.Select(static name => StrategyColours.Of(name).Colour).Distinct(StringComparer.OrdinalIgnoreCase).Count());
    }

    [Theory]
    [InlineData("mine")]
    [InlineData("")]
    [InlineData("ä<b>")]
    public void An_unknown_strategy_has_a_constant_colour(string name)
    {
        var look = StrategyColours.Of(name);

        Assert.Matches("^#[0-9A-F]{6}$", look.Colour);
        Assert.Equal(look, StrategyColours.Of(name));
    }

    [Fact]
    public void The_colour_of_an_unknown_name_is_the_same_in_every_process() =>
        Assert.Equal(("#7046B9", "#46A8B9"), (StrategyColours.Of("mine").Colour, StrategyColours.Of("groups").Colour));

    [Fact]
    public void A_strategy_with_several_settings_has_one_colour_and_several_lines()
    {
        var looks = Enumerable.Range(0, 4).Select(static variant => StrategyColours.Of("pipelined", variant)).ToList();

        Assert.Single(looks.Select(static look => look.Colour).Distinct());
        Assert.Equal(4, looks.Select(static look => (look.Shape, look.Dash)).Distinct().Count());
    }

    [Fact]
    public void Every_colour_is_seen_on_white_and_on_the_dark_ground() =>
        Assert.All(
            StrategyColours.Known.Values,
            static look =>
            {
                Assert.InRange(Contrast(look.Colour, "#FFFFFF"), 2.2, 21);
                Assert.InRange(Contrast(look.Colour, "#14171A"), 3, 21);
            }
        );

    // Relative luminance and contrast after WCAG 2.2.
    private static double Contrast(string first, string second)
    {
        var (one, other) = (Luminance(first), Luminance(second));
        return (Math.Max(one, other) + 0.05) / (Math.Min(one, other) + 0.05);
    }

    private static double Luminance(string colour)
    {
        return (0.2126 * Channel(1)) + (0.7152 * Channel(3)) + (0.0722 * Channel(5));

        double Channel(int from)
        {
            var value = int.Parse(colour.AsSpan(from, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture) / 255.0;
            return value <= 0.04045 ? value / 12.92 : Math.Pow((value + 0.055) / 1.055, 2.4);
        }
    }
}
