using System.Text;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

internal static class MetricText
{
    public static async Task<string> OfAsync(MetricRegistry registry) =>
        Encoding.UTF8.GetString((await registry.ScrapeAsync(TestContext.Current.CancellationToken)).Span);
}
