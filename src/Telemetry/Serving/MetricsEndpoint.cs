using System.Collections.Concurrent;
using System.Net;
using EventHubThroughput.Settings;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace EventHubThroughput.Telemetry.Serving;

/// <summary>The address of the metrics.</summary>
/// <param name="Address">The network interface.</param>
/// <param name="Port">The requested port, 0 for any free one. Null uses the first free one of the default range.</param>
public sealed record MetricsEndpointOptions(IPAddress Address, int? Port);

/// <summary>
/// Serves the metrics to Prometheus: <c>/metrics</c>, <c>/healthz</c> and a page with a link to the first. Counts the scrapes, so that an observed run can
/// wait until its last values were fetched. <c>/healthz</c> answers 200 while events are accepted, else 503. On loopback, pages of other origins are refused.
/// </summary>
public sealed class MetricsEndpoint : IAsyncDisposable
{
    private const int FirstPort = 9464;
    private const int LastPort = 9471;

    private readonly WebApplication application;
    private readonly MetricRegistry registry;
    private readonly bool onlyLocal;
    private readonly Lock gate = new();

    // Touched under the gate.
    private long scrapes;
    private TaskCompletionSource scraped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Readiness readiness = Readiness.Starting;
    private readonly ConcurrentDictionary<string, Func<CancellationToken, Task<ReadOnlyMemory<byte>>>> others = new(StringComparer.Ordinal);

    private MetricsEndpoint(MetricRegistry registry, IPAddress address, int port)
    {
        this.registry = registry;
        onlyLocal = IPAddress.IsLoopback(address);
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel => Configure(kestrel, address, port));
        application = builder.Build();
        application.Run(AnswerAsync);
    }

    /// <summary>The address of the endpoint, set after the start.</summary>
    public Uri Address { get; private set; } = null!;

    /// <summary>Host and port for clients on this machine. An endpoint of all interfaces is available on loopback too.</summary>
    public string Reachable =>
        IPAddress.TryParse(Address.Host.Trim('[', ']'), out var host) && (host.Equals(IPAddress.Any) || host.Equals(IPAddress.IPv6Any))
            ? $"127.0.0.1:{Address.Port}"
            : Address.Authority;

    /// <summary>Answered scrapes so far.</summary>
    public long Scrapes
    {
        get
        {
            lock (gate)
            {
                return scrapes;
            }
        }
    }

    /// <summary>Serves from now on.</summary>
    /// <exception cref="FailureException">A requested port is in use, or none of the default range is free.</exception>
    public static async Task<MetricsEndpoint> StartAsync(MetricRegistry registry, MetricsEndpointOptions options, CancellationToken cancellationToken)
    {
        for (var port = options.Port ?? FirstPort; ; port++)
        {
            var endpoint = new MetricsEndpoint(registry, options.Address, port);
            try
            {
                await endpoint.application.StartAsync(cancellationToken).ConfigureAwait(false);
                endpoint.Address = new Uri(endpoint.application.Urls.First());
                return endpoint;
            }
            catch (System.Net.Sockets.SocketException exception)
            {
                await endpoint.DisposeAsync().ConfigureAwait(false);
                throw new FailureException(FailureCause.Input, $"--metrics-host {options.Address}, --metrics-port {port}: {exception.Message}", exception);
            }
            catch (IOException exception) when (exception.InnerException is AddressInUseException)
            {
                await endpoint.DisposeAsync().ConfigureAwait(false);
                if (options.Port is not null)
                {
                    throw new FailureException(FailureCause.PortInUse, $"--metrics-port {port}: in use. Use 0 for a free one", exception);
                }

                if (port == LastPort)
                {
                    throw new FailureException(
                        FailureCause.PortInUse,
                        $"metrics ports {FirstPort} to {LastPort}: all in use, use --metrics-port 0 or --no-metrics",
                        exception
                    );
                }
            }
        }
    }

    /// <summary>Reports on <c>/healthz</c> that events are accepted.</summary>
    public void MarkReady() => readiness = Readiness.Ready;

    /// <summary>Reports on <c>/healthz</c> that the run is ending.</summary>
    public void MarkDraining() => readiness = Readiness.Draining;

    /// <summary>Serves the metrics of another process of this run as well. So a scraper needs no key of that process.</summary>
    /// <param name="path">The path.</param>
    /// <param name="read">Requests the metrics from that process.</param>
    public void Serve(string path, Func<CancellationToken, Task<ReadOnlyMemory<byte>>> read) => others[path] = read;

    /// <summary>Waits for this number of further scrapes, at most for the limit.</summary>
    public async Task WaitForScrapesAsync(int further, TimeSpan limit, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(limit, timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        var wanted = Scrapes + further;
        try
        {
            while (true)
            {
                Task next;
                lock (gate)
                {
                    if (scrapes >= wanted)
                    {
                        return;
                    }

                    next = scraped.Task;
                }

                await next.WaitAsync(either.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (either.IsCancellationRequested)
        {
            // The wait ends at the limit.
        }
    }

    public async ValueTask DisposeAsync() => await application.DisposeAsync().ConfigureAwait(false);

    private static void Configure(KestrelServerOptions kestrel, IPAddress address, int port)
    {
        kestrel.AddServerHeader = false;
        kestrel.Limits.MaxRequestBodySize = 0;
        kestrel.Limits.MaxConcurrentConnections = 64;
        kestrel.Listen(address, port);
    }

    private async Task AnswerAsync(HttpContext context)
    {
        var response = context.Response;
        if (onlyLocal && BrowserGuard.Refuse(context.Request.Scheme, context.Request.Host.Value, context.Request.Headers.Origin) is { } foreign)
        {
            response.StatusCode = StatusCodes.Status403Forbidden;
            await response.WriteAsync($"{foreign}\n", context.RequestAborted).ConfigureAwait(false);
            return;
        }

        switch (context.Request.Path.Value)
        {
            case "/metrics":
                response.ContentType = TextFormat.ContentType;
                await response
                    .Body.WriteAsync(await registry.ScrapeAsync(context.RequestAborted).ConfigureAwait(false), context.RequestAborted)
                    .ConfigureAwait(false);
                Count();
                break;
            case "/healthz":
                var now = readiness;
                response.StatusCode = now == Readiness.Ready ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
                await response.WriteAsync($"{GetWord(now)}\n", context.RequestAborted).ConfigureAwait(false);
                break;
            case "/":
                response.ContentType = "text/html; charset=utf-8";
                await response
                    .WriteAsync("<!doctype html><title>consumer</title><a href=\"/metrics\">metrics</a>\n", context.RequestAborted)
                    .ConfigureAwait(false);
                break;
            case { } path when others.TryGetValue(path, out var read):
                await AnswerForOtherAsync(context, read).ConfigureAwait(false);
                break;
            default:
                response.StatusCode = StatusCodes.Status404NotFound;
                await response.WriteAsync("not found\n", context.RequestAborted).ConfigureAwait(false);
                break;
        }
    }

    private static async Task AnswerForOtherAsync(HttpContext context, Func<CancellationToken, Task<ReadOnlyMemory<byte>>> read)
    {
        try
        {
            var text = await read(context.RequestAborted).ConfigureAwait(false);
            context.Response.ContentType = TextFormat.ContentType;
            await context.Response.Body.WriteAsync(text, context.RequestAborted).ConfigureAwait(false);
        }
        catch (FailureException failure)
        {
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            await context.Response.WriteAsync($"{failure.Message}\n", context.RequestAborted).ConfigureAwait(false);
        }
    }

    private static string GetWord(Readiness readiness) =>
        readiness switch
        {
            Readiness.Ready => "ready",
            Readiness.Draining => "draining",
            _ => "starting",
        };

    private void Count()
    {
        TaskCompletionSource done;
        lock (gate)
        {
            scrapes++;
            done = scraped;
            scraped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        done.TrySetResult();
    }

    private enum Readiness
    {
        Starting,
        Ready,
        Draining,
    }
}
