using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Microsoft.Playwright;
using Xunit;

namespace EventHubThroughput.Browser;

/// <summary>The first screen of a report, at the size of a laptop and of a phone.</summary>
public sealed class FirstScreenTests(Chromium chromium) : IClassFixture<Chromium>
{
    private const int Laptop = 1280;
    private const int Phone = 390;

    [Fact]
    public async Task The_answer_the_rates_the_events_the_command_and_the_exclusions_fit_a_laptop()
    {
        await using var view = await OpenAsync(await ReportedComparisons.WholeAsync(), Laptop);

        foreach (var part in (string[])["h1", ".lead", ".rates", ".events", ".next", ".excluded summary"])
        {
            var box = await view.Page.Locator($"header {part}").BoundingBoxAsync();
            Assert.NotNull(box);
            Assert.True(box.Height > 0 && box.Y + box.Height <= Chromium.Height, $"{part} ends at {box.Y + box.Height}");
        }
    }

    [Theory]
    [InlineData(Laptop)]
    [InlineData(Phone)]
    public async Task A_hundredfold_rate_has_a_bar_a_hundred_times_as_long(int width)
    {
        var result = await ReportedComparisons.LongNamesAsync();
        await using var view = await OpenAsync(result, width);

        var lengths = await WidthsAsync(view, ".rates rect");
        Assert.Equal(4, lengths.Length);
        Assert.InRange(lengths[0] / lengths[3], 180, 200);
        Assert.Equal(2, lengths[0] / lengths[1], 0.05);
    }

    [Theory]
    [InlineData(Laptop, "wide")]
    [InlineData(Phone, "narrow")]
    public async Task Twelve_events_in_turn_are_long_and_concurrent_ones_short_on_one_axis(int width, string form)
    {
        await using var view = await OpenAsync(await ReportedComparisons.WholeAsync(), width);

        // Baseline takes 349 ms, the others 20.75 ms. Each has two bars for each of twelve events.
        var ends = await view
            .Page.Locator($".events svg.{form} rect.bar")
            .EvaluateAllAsync<double[]>(
                "all => [...Map.groupBy(all, one => one.getAttribute('fill')).values()].map(some => Math.max(...some.map(one => one.getBoundingClientRect().right)) - Math.min(...some.map(one => one.getBoundingClientRect().left)))"
            );
        Assert.Equal(4 * 24, await view.Page.Locator($".events svg.{form} rect.bar").CountAsync());
        Assert.Equal(4, ends.Length);
        Assert.InRange(ends[3] / ends[0], 0.97 * 349 / 20.75, 1.03 * 349 / 20.75);
        Assert.Equal(1, await view.Page.Locator($".events svg.{form} rect.checkpoint").CountAsync());
    }

    [Theory]
    [InlineData(Laptop)]
    [InlineData(Phone)]
    public async Task Exclusions_are_one_line_until_they_are_unfolded(int width)
    {
        await using var view = await OpenAsync(await ReportedComparisons.CutShortAsync(), width);
        var folded = view.Page.Locator("header .excluded");
        var line = (await folded.BoundingBoxAsync())!.Height;

        Assert.InRange(line, 14, 40);
        Assert.False(await folded.Locator("ul").IsVisibleAsync());
        await folded.Locator("summary").ClickAsync();
        Assert.True(await folded.Locator("ul").IsVisibleAsync());
        Assert.InRange((await folded.BoundingBoxAsync())!.Height, 2 * line, 5_000);
    }

    [Theory]
    [InlineData("SweptAsync", Laptop)]
    [InlineData("SweptAsync", Phone)]
    [InlineData("LongNamesAsync", Laptop)]
    [InlineData("LongNamesAsync", Phone)]
    public async Task Names_are_short_and_whole(string name, int width)
    {
        var result = await ReportedComparisons.OfAsync(name);
        await using var view = await OpenAsync(result, width);

        var drawn = string.Join(' ', await view.Page.Locator("svg.chart:visible text.b").AllTextContentsAsync());
        var listed = (await view.Page.Locator(".rates .name").AllInnerTextsAsync()).Select(static text => text.Trim()).ToList();
        Assert.All(listed, static text => Assert.DoesNotContain(':', text));
        Assert.All(listed, text => Assert.Contains(text, drawn, StringComparison.Ordinal));
        Assert.Contains(
            listed,
            static text => text.Contains(", batch 100, ", StringComparison.Ordinal) || text.Contains(", batch 10, degree 128", StringComparison.Ordinal)
        );
        Assert.DoesNotContain('…', drawn);
    }

    [Theory]
    [InlineData("WholeAsync", Laptop)]
    [InlineData("WholeAsync", Phone)]
    [InlineData("SweptAsync", Phone)]
    [InlineData("LongNamesAsync", Phone)]
    public async Task No_drawing_and_no_part_of_the_first_screen_has_a_scroll_bar(string name, int width)
    {
        await using var view = await OpenAsync(await ReportedComparisons.OfAsync(name), width);

        Assert.Equal(
            "",
            await view.Page.EvaluateAsync<string>(
                """
                () => [...document.querySelectorAll('header, header *:not(svg *), figure, figure > svg')]
                  .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline' && one.clientWidth > 0)
                  .map(one => one.outerHTML.slice(0, 80)).join('\n')
                """
            )
        );
        Assert.Equal(width, await view.WidthAsync());
    }

    private Task<ShownPage> OpenAsync(ComparisonResult result, int width) => ShownPage.OpenAsync(chromium, HtmlReport.Of(result), width, ColorScheme.Light);

    private static Task<double[]> WidthsAsync(ShownPage view, string selector) =>
        view.Page.Locator(selector).EvaluateAllAsync<double[]>("all => all.map(one => one.getBoundingClientRect().width)");
}
