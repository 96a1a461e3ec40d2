using System.Net;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Settings;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using BadHttpRequestException = Microsoft.AspNetCore.Http.BadHttpRequestException;
using Options = Microsoft.Extensions.Options.Options;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The administration over HTTP: Kestrel alone, without a host around it, like the blob endpoint.</summary>
internal sealed class AdminEndpoint : IAsyncDisposable
{
    /// <summary>The one path that asks for no key: whether the emulator is up is no secret.</summary>
    public const string HealthPath = "/healthz";

    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;
    private int _disposed;

    private AdminEndpoint(KestrelServer server)
    {
        _server = server;
        Address = new Uri(server.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single());
    }

    public Uri Address { get; }

    /// <exception cref="IOException">The port is in use.</exception>
    public static async Task<AdminEndpoint> StartAsync(AdminEndpointOptions options, AdminRoutes routes, CancellationToken cancellationToken)
    {
        var transport = new SocketTransportFactory(Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        var server = new KestrelServer(Options.Create(Configure(options)), transport, NullLoggerFactory.Instance);
        try
        {
            await server.StartAsync(new Application(options, routes), cancellationToken);
            return new AdminEndpoint(server);
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        using var limit = new CancellationTokenSource(StopLimit, TimeProvider.System);
        await _server.StopAsync(limit.Token);
        _server.Dispose();
    }

    private static KestrelServerOptions Configure(AdminEndpointOptions options)
    {
        var kestrel = new KestrelServerOptions { AddServerHeader = false, AllowResponseHeaderCompression = false };
        kestrel.Limits.MaxRequestHeadersTotalSize = options.HeaderLimit;
        kestrel.Limits.MaxRequestBodySize = SettingsDocument.LargestSize;
        kestrel.Limits.MaxConcurrentConnections = options.ConnectionLimit;
        kestrel.Limits.RequestHeadersTimeout = options.HeaderTime;

        // Also the limit for the first byte: who says nothing must not keep a place among the few connections.
        kestrel.Limits.KeepAliveTimeout = options.HeaderTime;
        kestrel.Limits.MinRequestBodyDataRate = new MinDataRate(options.MinimumRate, options.MinimumRateGrace);
        kestrel.Limits.MinResponseDataRate = new MinDataRate(options.MinimumRate, options.MinimumRateGrace);
        kestrel.Listen(options.Address, options.Port, static listen => listen.Protocols = HttpProtocols.Http1);
        return kestrel;
    }

    private sealed class Application(AdminEndpointOptions options, AdminRoutes routes) : IHttpApplication<HttpContext>
    {
        private readonly AdminAuthorization _authorization = new(options.Key, options.TimeProvider, options.AllowAnonymous);
        private readonly bool _onlyLocal = IPAddress.IsLoopback(options.Address);

        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public void DisposeContext(HttpContext context, Exception? exception)
        {
        }

        public async Task ProcessRequestAsync(HttpContext context)
        {
            AdminAnswer answer;
            try
            {
                answer = await AnswerAsync(context);
            }
            catch (UsageException exception)
            {
                answer = AdminAnswer.Fail(400, "The settings are wrong.", exception.Problems);
            }
            catch (BadHttpRequestException exception)
            {
                answer = AdminAnswer.Fail(exception.StatusCode, "The request is malformed, too large or too slow.");
            }
            catch (Exception exception) when (exception is OperationCanceledException or IOException)
            {
                // The peer has gone: nobody reads an answer.
                context.Abort();
                return;
            }
            catch (Exception exception)
            {
                answer = AdminAnswer.Fail(500, $"The emulator could not do it: {exception.GetType().Name}.");
            }

            await WriteAsync(context, answer);
        }

        private async Task<AdminAnswer> AnswerAsync(HttpContext context)
        {
            // As it was sent: a name may hold an escaped slash.
            var path = context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget.Split('?', 2)[0];
            if (_onlyLocal && BrowserGuard.Refuse(context.Request) is { } foreign)
            {
                return AdminAnswer.Fail(403, foreign);
            }

            if (path != HealthPath && _authorization.Refuse(context.Request, path) is { } refusal)
            {
                context.Response.Headers.WWWAuthenticate = AdminAuthorization.Challenge;
                return AdminAnswer.Fail(401, refusal);
            }

            var (action, values, notFound) = routes.Find(context.Request.Method, path);
            return action is null ? notFound! : await action(new AdminRequest(context.Request, values), context.RequestAborted);
        }

        private static async Task WriteAsync(HttpContext context, AdminAnswer answer)
        {
            var response = context.Response;
            response.StatusCode = answer.Status;
            response.ContentType = answer.ContentType;
            response.ContentLength = answer.Status == 204 ? null : answer.Body.Length;
            response.Headers.CacheControl = "no-store";
            if (answer.Allow is not null)
            {
                response.Headers.Allow = answer.Allow;
            }

            if (!HttpMethods.IsHead(context.Request.Method) && answer.Body.Length > 0)
            {
                await response.Body.WriteAsync(answer.Body, context.RequestAborted);
            }
        }
    }
}
