using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

/// <summary>What a sender serves while it lives, and that it takes itself off the list at its end.</summary>
public sealed class SendMetricsTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("targets-");
    private readonly HttpClient http = new();
    private readonly List<string> notices = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Serves_its_counters_and_is_listed_for_as_long_as_it_lives()
    {
        var counters = new SendCounters(100);
        var metrics = await SendMetrics.StartAsync(new SendMetricsOptions(0, folder.FullName), "one", counters, notices.Add, Cancellation);
        counters.AddAcknowledged(7);
        counters.AddFailed(2);
        counters.AddLate(1500);

        var address = Assert.Single(notices)["metrics: ".Length..];
        var listed = await File.ReadAllTextAsync(Assert.Single(folder.GetFiles("sender-*.json")).FullName, Cancellation);
        Assert.Contains("\"job\":\"sender\"", listed, StringComparison.Ordinal);
        Assert.Contains(new Uri(address).Authority, listed, StringComparison.Ordinal);
        var text = await http.GetStringAsync(new Uri(address), Cancellation);
        Assert.Contains("sender_events_total{run=\"one\",outcome=\"acknowledged\"} 7\n", text, StringComparison.Ordinal);
        Assert.Contains("sender_events_total{run=\"one\",outcome=\"failed\"} 2\n", text, StringComparison.Ordinal);
        Assert.Contains("sender_intended_events{run=\"one\"} 100\n", text, StringComparison.Ordinal);
        Assert.Contains("sender_most_late_seconds{run=\"one\"} 1.5\n", text, StringComparison.Ordinal);
        Assert.Contains("process_cpu_seconds_total{run=\"one\"}", text, StringComparison.Ordinal);
        Assert.Equal((0, string.Empty), await Promtool.RunAsync(text, "check", "metrics"));

        await metrics!.DisposeAsync();
        Assert.Empty(folder.GetFiles());
    }

    [Fact]
    public async Task Serves_nothing_unless_that_was_asked_for()
    {
        Assert.Null(await SendMetrics.StartAsync(null, "one", new SendCounters(1), notices.Add, Cancellation));
        Assert.Empty(notices);
    }

    public void Dispose()
    {
        http.Dispose();
        folder.Delete(recursive: true);
    }
}
