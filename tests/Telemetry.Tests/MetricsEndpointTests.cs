using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Serving;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class MetricsEndpointTests : IDisposable
{
    private readonly MetricRegistry registry = new();
    private readonly HttpClient http = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Serves_the_registry_as_prometheus_text_on_loopback()
    {
        registry.AddCounter("some_total", "Some.").Inc(3);
        await using var endpoint = await StartAsync(port: 0);

        using var response = await http.GetAsync(new Uri(endpoint.Address, "metrics"), Cancellation);

        Assert.Equal("127.0.0.1", endpoint.Address.Host);
        Assert.Equal("text/plain; version=0.0.4; charset=utf-8", response.Content.Headers.ContentType!.ToString());
        Assert.Contains("some_total 3\n", await response.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
        Assert.Equal(1, endpoint.Scrapes);
    }

    [Fact]
    public async Task The_endpoint_reports_whether_it_is_ready_or_draining_and_links_to_the_metrics()
    {
        await using var endpoint = await StartAsync(port: 0);

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "starting\n"), await HealthAsync());
        endpoint.MarkReady();
        Assert.Equal((HttpStatusCode.OK, "ready\n"), await HealthAsync());
        endpoint.MarkDraining();
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "draining\n"), await HealthAsync());
        Assert.Contains("href=\"/metrics\"", await http.GetStringAsync(endpoint.Address, Cancellation), StringComparison.Ordinal);
        Assert.Equal(0, endpoint.Scrapes);

        async Task<(HttpStatusCode, string)> HealthAsync()
        {
            using var response = await http.GetAsync(new Uri(endpoint.Address, "healthz"), Cancellation);
            return (response.StatusCode, await response.Content.ReadAsStringAsync(Cancellation));
        }
    }

    /// <summary>With an exemplar on a counter whose name lacks _total, Prometheus refuses the whole scrape.</summary>
    [Fact]
    public async Task A_request_for_OpenMetrics_within_an_activity_gets_the_text_format_without_exemplars()
    {
        using var activity = new System.Diagnostics.Activity("run").SetIdFormat(System.Diagnostics.ActivityIdFormat.W3C).Start();
        registry.AddCounter(MetricNames.ProcessedMessageCounter, "Events that every sink has.").Inc();
        registry.AddHistogram(MetricNames.EventDurationSeconds, "E.", HistogramBounds.Durations).Observe(0.01);
        await using var endpoint = await StartAsync(port: 0);
        using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(endpoint.Address, "metrics"));
        request.Headers.TryAddWithoutValidation("Accept", "application/openmetrics-text; version=1.0.0,text/plain;version=0.0.4;q=0.5");

        using var response = await http.SendAsync(request, Cancellation);

        var text = await response.Content.ReadAsStringAsync(Cancellation);
        Assert.Equal(TextFormat.ContentType, response.Content.Headers.ContentType!.ToString());
        Assert.DoesNotContain(activity.TraceId.ToString(), text, StringComparison.Ordinal);
        Assert.DoesNotContain("# EOF", text, StringComparison.Ordinal);
        Assert.Contains("processed_messagecounter 1\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refuses_a_port_that_was_asked_for_and_is_in_use()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var port = ((IPEndPoint)other.LocalEndpoint).Port;

        var refusal = await Assert.ThrowsAsync<FailureException>(() => StartAsync(port));

        Assert.Equal(FailureCause.PortInUse, refusal.Cause);
        Assert.Equal($"--metrics-port {port}: in use. Use 0 for a free one", refusal.Message);
    }

    [Fact]
    public async Task Takes_the_next_free_port_of_its_range_when_none_was_asked_for()
    {
        await using var first = await StartAsync(port: null);
        await using var second = await StartAsync(port: null);

        Assert.InRange(first.Address.Port, 9464, 9470);
        Assert.InRange(second.Address.Port, first.Address.Port + 1, 9471);
    }

    [Fact]
    public async Task The_endpoint_stays_until_the_number_of_further_scrapes_was_answered()
    {
        var clock = new VirtualClock();
        await using var endpoint = await StartAsync(port: 0);
        var waiting = endpoint.WaitForScrapesAsync(2, TimeSpan.FromSeconds(30), clock, Cancellation);

        await http.GetStringAsync(new Uri(endpoint.Address, "metrics"), Cancellation);
        Assert.False(waiting.IsCompleted);
        await http.GetStringAsync(new Uri(endpoint.Address, "metrics"), Cancellation);

        await waiting;
    }

    [Fact]
    public async Task Waits_for_scrapes_no_longer_than_the_limit()
    {
        var clock = new VirtualClock();
        await using var endpoint = await StartAsync(port: 0);
        var waiting = endpoint.WaitForScrapesAsync(2, TimeSpan.FromSeconds(30), clock, Cancellation);

        clock.Advance(TimeSpan.FromSeconds(30));

        await waiting;
    }

    /// <summary>The request of a page of another origin names it. A page whose host name was turned to loopback still names that host.</summary>
    [Theory]
    [InlineData("pages.example", null, HttpStatusCode.Forbidden)]
    [InlineData("pages.example:PORT", null, HttpStatusCode.Forbidden)]
    [InlineData("127.0.0.1:PORT", "http://pages.example", HttpStatusCode.Forbidden)]
    [InlineData("127.0.0.1:PORT", "http://127.0.0.1:1", HttpStatusCode.Forbidden)]
    [InlineData("127.0.0.1:PORT", "null", HttpStatusCode.Forbidden)]
    [InlineData("127.0.0.1:PORT", "http://127.0.0.1:PORT", HttpStatusCode.OK)]
    [InlineData("localhost:PORT", null, HttpStatusCode.OK)]
    [InlineData("[::1]:PORT", null, HttpStatusCode.OK)]
    public async Task Answers_no_page_of_another_host_or_origin(string host, string? origin, HttpStatusCode status)
    {
        await using var endpoint = await StartAsync(port: 0);
        endpoint.MarkReady();
        foreach (var path in new[] { "metrics", "healthz", string.Empty })
        {
            using var response = await AskAsync(endpoint, path, host, origin);

            Assert.Equal(status, response.StatusCode);
        }

        Assert.Equal(status == HttpStatusCode.OK ? 1 : 0, endpoint.Scrapes);
    }

    [Fact]
    public async Task An_address_that_was_opened_to_all_answers_any_host_name()
    {
        await using var endpoint = await MetricsEndpoint.StartAsync(registry, new MetricsEndpointOptions(IPAddress.Any, 0), Cancellation);

        using var response = await AskAsync(endpoint, "metrics", "pages.example", "http://pages.example");

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    public void Dispose() => http.Dispose();

    private async Task<HttpResponseMessage> AskAsync(MetricsEndpoint endpoint, string path, string host, string? origin)
    {
        var port = endpoint.Address.Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
        using var request = new HttpRequestMessage(HttpMethod.Get, $"http://127.0.0.1:{port}/{path}");
        request.Headers.Host = host.Replace("PORT", port, StringComparison.Ordinal);
        if (origin is not null)
        {
            request.Headers.TryAddWithoutValidation("Origin", origin.Replace("PORT", port, StringComparison.Ordinal));
        }

        return await http.SendAsync(request, Cancellation);
    }

    private Task<MetricsEndpoint> StartAsync(int? port) =>
        MetricsEndpoint.StartAsync(registry, new MetricsEndpointOptions(IPAddress.Loopback, port), Cancellation);
}
