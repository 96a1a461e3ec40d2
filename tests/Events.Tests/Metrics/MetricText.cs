using System.Text;
using EventHubThroughput.Telemetry;
using Xunit;

namespace EventHubThroughput.Events.Tests.Metrics;

internal static class MetricText
{
    public static async Task<string> OfAsync(MetricRegistry registry) =>
        Encoding.UTF8.GetString((await registry.ScrapeAsync(TestContext.Current.CancellationToken)).Span);
}
