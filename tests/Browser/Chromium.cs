using EventHubThroughput.Testing;
using Microsoft.Playwright;
using Xunit;

namespace EventHubThroughput.Browser;

/// <summary>The Chromium of the system, started once. Where there is none its tests are skipped with a reason, and fail in CI.</summary>
public sealed class Chromium : IAsyncLifetime
{
    /// <summary>The height of every window, in pixels.</summary>
    public const int Height = 900;

    private static readonly string[] Names = ["chromium", "chromium-browser", "google-chrome"];

    private IPlaywright? playwright;
    private IBrowser? browser;

    /// <inheritdoc/>
    public async ValueTask InitializeAsync()
    {
        if (FindProgram() is not { } path)
        {
            return;
        }

        playwright = await Playwright.CreateAsync();
        // In a container Chromium has no separate user for its sandbox. It is shown only our own files.
        browser = await playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions { ExecutablePath = path, Args = ["--no-sandbox"] });
    }

    /// <summary>A new page in a window of this width. Does not return where there is no Chromium.</summary>
    public async Task<IPage> OpenAsync(int width, ColorScheme scheme = ColorScheme.Light)
    {
        if (browser is null)
        {
            const string reason = "no Chromium on the search path (Debian: apt-get install chromium)";
            Assert.SkipWhen(!Budget.IsCI, reason);
            Assert.Fail(reason);
        }

        return await browser.NewPageAsync(
            new BrowserNewPageOptions
            {
                ViewportSize = new ViewportSize { Width = width, Height = Height },
                ColorScheme = scheme,
            }
        );
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await (browser?.DisposeAsync() ?? ValueTask.CompletedTask);
        playwright?.Dispose();
    }

    private static string? FindProgram() =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .SelectMany(static folder => Names.Select(name => Path.Combine(folder, OperatingSystem.IsWindows() ? name + ".exe" : name)))
            .FirstOrDefault(File.Exists);
}
