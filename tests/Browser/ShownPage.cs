using Microsoft.Playwright;

namespace EventHubThroughput.Browser;

/// <summary>A report as a browser shows it, from a temporary file that is removed with it.</summary>
internal sealed record ShownPage(IPage Page, string File) : IAsyncDisposable
{
    /// <summary>The address of the file.</summary>
    public string Address => new Uri(File).AbsoluteUri;

    /// <summary>Opens a report.</summary>
    /// <param name="chromium">The browser.</param>
    /// <param name="html">The report.</param>
    /// <param name="width">The width of the window, in pixels.</param>
    /// <param name="scheme">Light or dark.</param>
    /// <param name="heard">Gets every request, console message and exception of the page.</param>
    public static async Task<ShownPage> OpenAsync(Chromium chromium, string html, int width, ColorScheme scheme, List<string>? heard = null)
    {
        var page = await chromium.OpenAsync(width, scheme);
        page.Console += (_, message) => heard?.Add($"{message.Type}: {message.Text}");
        page.PageError += (_, error) => heard?.Add(error);
        page.Request += (_, request) => heard?.Add(request.Url);
        var shown = new ShownPage(page, Path.Combine(Path.GetTempPath(), $"eht-report-{Guid.NewGuid():n}.html"));
        await System.IO.File.WriteAllTextAsync(shown.File, html);
        await page.GotoAsync(shown.Address);
        return shown;
    }

    /// <summary>Opens what is folded away.</summary>
    public Task UnfoldAsync() => Page.EvaluateAsync("() => document.querySelectorAll('details').forEach(one => one.open = true)");

    /// <summary>The width of the whole document, in pixels.</summary>
    public Task<int> WidthAsync() => Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth");

    /// <summary>The elements that reach beyond the window, a line each. A wider element that scrolls by itself does not count.</summary>
    public Task<string> BeyondWindowAsync() =>
        Page.EvaluateAsync<string>(
            """
            () => [...document.body.querySelectorAll('*')]
              .filter(one => !one.closest('.scroll, svg, .skip') && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
              .map(one => one.outerHTML.slice(0, 80)).join('\n')
            """
        );

    /// <summary>The texts of drawings that reach beyond them, a line each.</summary>
    public Task<string> BeyondDrawingsAsync() =>
        Page.EvaluateAsync<string>(
            """
            () => [...document.querySelectorAll('svg.chart text')]
              .filter(text => {
                const own = text.getBoundingClientRect(), all = text.closest('svg').getBoundingClientRect();
                return own.width > 0 && (own.left < all.left - 1 || own.right > all.right + 1 || own.top < all.top - 1 || own.bottom > all.bottom + 1);
              })
              .map(text => text.textContent).join('\n')
            """
        );

    /// <summary>How high the smallest text of a drawing is, in pixels.</summary>
    public Task<double> SmallestTextAsync() =>
        Page.EvaluateAsync<double>(
            "() => Math.min(...[...document.querySelectorAll('svg.chart text')].map(text => text.getBoundingClientRect().height).filter(height => height > 0))"
        );

    /// <summary>The values from which a part of the page shows numbers, in their order and to the last digit.</summary>
    /// <param name="selector">The part.</param>
    public Task<string[]> ValuesAsync(string selector) => Page.Locator($"{selector} data").EvaluateAllAsync<string[]>("all => all.map(one => one.value)");

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Page.CloseAsync();
        System.IO.File.Delete(File);
    }
}
