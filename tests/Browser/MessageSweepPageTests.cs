using System.Globalization;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Tests.Doubles;
using Microsoft.Playwright;
using Xunit;

namespace EventHubThroughput.Browser;

/// <summary>The report of a processor sweep as a browser shows it.</summary>
public sealed class MessageSweepPageTests(Chromium chromium) : IClassFixture<Chromium>
{
    private static readonly MessageSweepResult Swept = SweptCells.Result(
        ["sweep", "--scenario", "servicebus-processor"],
        [
            .. from memory in (int[])[2, 6]
            from cores in (int[])[1, 2]
            from concurrency in (int[])[8, 16, 32, 64, 96, 128, 192, 256]
            from threads in (int[])[0, concurrency + 4]
            select SweptCells.Of(concurrency, Math.Min(concurrency / 0.066, 1_800 * cores), threads, cores, memory),
            SweptCells.Of(512, null),
            SweptCells.Of(384, 3_210.5, bounds: ["input", "emulator", "profile"]),
        ]
    );

    [Theory]
    [InlineData(360, ColorScheme.Light)]
    [InlineData(360, ColorScheme.Dark)]
    [InlineData(1400, ColorScheme.Light)]
    [InlineData(1400, ColorScheme.Dark)]
    public async Task Fits_the_window_without_an_error_and_without_a_request(int width, ColorScheme scheme)
    {
        foreach (var result in (MessageSweepResult[])[Swept, SweptCells.Result(["sweep"])])
        {
            List<string> heard = [];
            await using var view = await OpenAsync(result, width, scheme, heard);
            await view.UnfoldAsync();

            Assert.Equal([view.Address], heard);
            Assert.Equal(width, await view.WidthAsync());
            Assert.Equal("", await view.BeyondWindowAsync());
            Assert.Equal("", await view.BeyondDrawingsAsync());
        }
    }

    [Theory]
    [InlineData(360)]
    [InlineData(1400)]
    public async Task Texts_of_the_curves_can_be_read(int width)
    {
        await using var view = await OpenAsync(Swept, width, ColorScheme.Light);

        Assert.InRange(await view.SmallestTextAsync(), 11, 40);
    }

    [Fact]
    public async Task Every_rate_is_that_of_the_JSON()
    {
        await using var view = await OpenAsync(Swept, 1400, ColorScheme.Light);
        var rows = view.Page.Locator("#cells tbody tr");

        Assert.Equal(Swept.Cells.Count, await rows.CountAsync());
        var shown = (await view.ValuesAsync("#cells")).Select(static value => double.Parse(value, CultureInfo.InvariantCulture)).ToHashSet();
        Assert.All(Swept.Cells.Select(static cell => cell.MessagesPerS).OfType<double>(), rate => Assert.Contains(rate, shown));
    }

    private Task<ShownPage> OpenAsync(MessageSweepResult result, int width, ColorScheme scheme, List<string>? heard = null) =>
        ShownPage.OpenAsync(chromium, MessageSweepReports.Of(ReportFormat.Html, result), width, scheme, heard);
}
