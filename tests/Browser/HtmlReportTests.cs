using System.Globalization;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Microsoft.Playwright;
using Xunit;

namespace EventHubThroughput.Browser;

/// <summary>The report of a comparison as a browser shows it.</summary>
public sealed class HtmlReportTests(Chromium chromium) : IClassFixture<Chromium>
{
    public static TheoryData<string, int, ColorScheme> Views
    {
        get
        {
            var views = new TheoryData<string, int, ColorScheme>();
            foreach (var name in (string[])["WholeAsync", "OpenLoopAsync", "SweptAsync", "LongNamesAsync", "CutShortAsync", "NothingAsync", "HostileAsync"])
            {
                foreach (var width in (int[])[360, 1400])
                {
                    views.Add(name, width, ColorScheme.Light);
                    views.Add(name, width, ColorScheme.Dark);
                }

                views.Add(name, 390, ColorScheme.Light);
            }

            return views;
        }
    }

    [Theory]
    [MemberData(nameof(Views))]
    public async Task Fits_the_window_without_an_error_and_without_a_request(string name, int width, ColorScheme scheme)
    {
        List<string> heard = [];
        await using var view = await OpenAsync(await ReportedComparisons.OfAsync(name), width, scheme, heard);
        await view.UnfoldAsync();

        Assert.Equal([view.Address], heard);
        Assert.Equal(width, await view.WidthAsync());
        Assert.Equal("", await view.BeyondWindowAsync());
    }

    [Theory]
    [InlineData("WholeAsync", 360, "narrow", "wide")]
    [InlineData("WholeAsync", 1400, "wide", "narrow")]
    [InlineData("OpenLoopAsync", 360, "narrow", "wide")]
    [InlineData("OpenLoopAsync", 1400, "wide", "narrow")]
    [InlineData("SweptAsync", 360, "narrow", "wide")]
    [InlineData("SweptAsync", 1400, "wide", "narrow")]
    [InlineData("LongNamesAsync", 390, "narrow", "wide")]
    [InlineData("LongNamesAsync", 1280, "wide", "narrow")]
    public async Task Shows_the_drawing_for_its_width_with_every_text_within(string name, int width, string shown, string hidden)
    {
        await using var view = await OpenAsync(await ReportedComparisons.OfAsync(name), width, ColorScheme.Light);

        Assert.Equal(0, await view.Page.Locator($"svg.{hidden}:visible").CountAsync());
        Assert.Equal(await view.Page.Locator("figure").CountAsync(), await view.Page.Locator($"svg.{shown}:visible").CountAsync());
        Assert.Equal("", await view.BeyondDrawingsAsync());
        Assert.InRange(await view.SmallestTextAsync(), 11, 40);
    }

    [Fact]
    public async Task Every_figure_of_the_strategies_is_that_of_the_JSON()
    {
        var result = await ReportedComparisons.WholeAsync();
        await using var view = await OpenAsync(result, 1400, ColorScheme.Light);
        var rows = view.Page.Locator("#strategies tbody tr");

        var ranked = result.Strategies.OrderByDescending(static one => one.EventsPerS).ToList();
        Assert.Equal(ranked.Count, await rows.CountAsync());
        for (var place = 0; place < ranked.Count; place++)
        {
            var one = ranked[place];
            Assert.Equal(one.Label, (await rows.Nth(place).Locator("th").InnerTextAsync()).Trim());
            var values = await rows.Nth(place).Locator("data").EvaluateAllAsync<string[]>("all => all.map(one => one.value)");
            Assert.Equal(
                Given(
                    one.EventsPerS,
                    one.EventsPerS95?.Low,
                    one.EventsPerS95?.High,
                    one.Ratio,
                    one.Ratio95?.Low,
                    one.Ratio95?.High,
                    one.MeasuredToPredicted,
                    one.EventP50Ms,
                    one.EventP99Ms,
                    one.RepeatsAtMost,
                    one.ConsumerCpuUsPerEvent,
                    one.Figures["allocatedBytesPerEvent"],
                    one.Cells
                ),
                values.Select(static value => double.Parse(value, CultureInfo.InvariantCulture))
            );
            Assert.Contains(Figures.Rate(one.EventsPerS), await rows.Nth(place).InnerTextAsync(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Every_rate_of_a_sweep_is_that_of_the_JSON()
    {
        var result = await ReportedComparisons.SweptAsync();
        await using var view = await OpenAsync(result, 360, ColorScheme.Light);

        var values = await view.ValuesAsync("#sweep .heat");
        Assert.Equal(
            result.Sweep!.SelectMany(static one => one.Degrees).Select(static degree => degree.EventsPerS),
            values.Select(static value => (double?)double.Parse(value, CultureInfo.InvariantCulture))
        );
    }

    [Fact]
    public async Task The_keyboard_goes_through_it_from_top_to_bottom()
    {
        await using var view = await OpenAsync(await ReportedComparisons.WholeAsync(), 1400, ColorScheme.Light);
        List<string> order = [];
        List<double> tops = [];
        for (var step = 0; step < 60; step++)
        {
            await view.Page.Keyboard.PressAsync("Tab");
            var what = await view.Page.EvaluateAsync<string>(
                "() => { const one = document.activeElement; return one === document.body ? '' : one.tagName + ' ' + (one.getAttribute('href') ?? one.closest('section')?.id ?? ''); }"
            );
            if (what.Length == 0)
            {
                break;
            }

            order.Add(what);
            tops.Add(await view.Page.EvaluateAsync<double>("() => document.activeElement.getBoundingClientRect().top + window.scrollY"));
        }

        Assert.Equal("A #main", order[0]);
        Assert.Equal(
            [
                "#throughput",
                "#strategies",
                "#pairs",
                "#latency",
                "#stages",
                "#time",
                "#model",
                "#in-flight",
                "#profile",
                "#processor",
                "#threads",
                "#conclusions",
                "#cells",
                "#environment",
            ],
            order.Where(static one => one.StartsWith("A #", StringComparison.Ordinal)).Skip(1).Select(static one => one[2..])
        );
        Assert.Equal(
            [
                "SUMMARY ",
                "DIV strategies",
                "DIV pairs",
                "SUMMARY latency",
                "SUMMARY stages",
                "SUMMARY time",
                "SUMMARY model",
                "SUMMARY in-flight",
                "SUMMARY in-flight",
                "SUMMARY profile",
                "SUMMARY processor",
                "SUMMARY threads",
                "DIV cells",
                "SUMMARY cells",
            ],
            order.Where(static one => !one.StartsWith('A'))
        );
        Assert.Equal(tops.Order(), tops);
    }

    [Fact]
    public async Task The_keyboard_opens_the_numbers_below_a_chart()
    {
        await using var view = await OpenAsync(await ReportedComparisons.WholeAsync(), 360, ColorScheme.Light);
        var numbers = view.Page.Locator("#latency table");

        Assert.False(await numbers.IsVisibleAsync());
        await view.Page.Locator("#latency summary").PressAsync("Enter");
        Assert.True(await numbers.IsVisibleAsync());
    }

    [Fact]
    public async Task On_paper_everything_is_dark_on_white_with_its_numbers()
    {
        await using var view = await OpenAsync(await ReportedComparisons.WholeAsync(), 1400, ColorScheme.Dark);
        await view.Page.EmulateMediaAsync(new PageEmulateMediaOptions { Media = Media.Print });

        Assert.Equal("rgb(255, 255, 255)", await view.Page.EvaluateAsync<string>("() => getComputedStyle(document.body).backgroundColor"));
        Assert.True(await view.Page.Locator("#latency table").IsVisibleAsync());
        Assert.False(await view.Page.Locator("nav").IsVisibleAsync());
        Assert.True(await view.Page.Locator("#latency svg.wide").IsVisibleAsync());
        Assert.False(await view.Page.Locator("#latency svg.narrow").IsVisibleAsync());
    }

    private Task<ShownPage> OpenAsync(ComparisonResult result, int width, ColorScheme scheme, List<string>? heard = null) =>
        ShownPage.OpenAsync(chromium, HtmlReport.Of(result), width, scheme, heard);

    private static IEnumerable<double> Given(params double?[] values) => values.OfType<double>();
}
