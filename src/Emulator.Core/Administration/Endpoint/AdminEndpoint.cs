using System.Net;
using EventHubThroughput.Emulator.Administration.Atom;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging.Abstractions;
using BadHttpRequestException = Microsoft.AspNetCore.Http.BadHttpRequestException;
using Options = Microsoft.Extensions.Options.Options;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>The administration over HTTP: Kestrel without a generic host, like the blob endpoint.</summary>
internal sealed class AdminEndpoint : IAsyncDisposable
{
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;
    private int _disposed;

    private AdminEndpoint(KestrelServer server, IPEndPoint plain, IPEndPoint? encrypted)
    {
        _server = server;
        Address = new Uri($"http://{plain}");
        EncryptedAddress = encrypted is null ? null : new Uri($"https://{encrypted}");
    }

    public Uri Address { get; }

    /// <summary>The address with TLS. Null when there is no such port.</summary>
    public Uri? EncryptedAddress { get; }

    /// <exception cref="IOException">The port is in use.</exception>
    public static async Task<AdminEndpoint> StartAsync(AdminEndpointOptions options, AdminRoutes routes, AtomRoutes atom, CancellationToken cancellationToken)
    {
        var (configuration, plain, encrypted) = Configure(options);
        var server = new KestrelServer(Options.Create(configuration), new BoundedTransport(options.ConnectionLimit), NullLoggerFactory.Instance);
        try
        {
            await server.StartAsync(new Application(options, routes, atom), cancellationToken);
            return new AdminEndpoint(server, plain.IPEndPoint!, encrypted?.IPEndPoint);
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

    private static (KestrelServerOptions Configuration, ListenOptions Plain, ListenOptions? Encrypted) Configure(AdminEndpointOptions options)
    {
        var kestrel = new KestrelServerOptions { AddServerHeader = false, AllowResponseHeaderCompression = false };
        kestrel.Limits.MaxRequestHeadersTotalSize = options.HeaderLimit;
        kestrel.Limits.MaxRequestBodySize = RequestBody.LargestTaken;
        kestrel.Limits.RequestHeadersTimeout = options.HeaderTime;

        // Also limits the time to the first byte. A silent client must not occupy one of the few connections.
        kestrel.Limits.KeepAliveTimeout = options.HeaderTime;
        kestrel.Limits.MinRequestBodyDataRate = new MinDataRate(options.MinimumRate, options.MinimumRateGrace);
        kestrel.Limits.MinResponseDataRate = new MinDataRate(options.MinimumRate, options.MinimumRateGrace);
        var plain = Listen(kestrel, options, options.Port);
        ListenOptions? encrypted = null;
        if (options.Encrypted is var (port, certificate))
        {
            encrypted = Listen(kestrel, options, port);
            encrypted.Use(new TlsConnections(certificate, options.HeaderTime, options.TimeProvider, options.Log).Before);
        }

        // Comes last: a port that is in use ends the start before any handed-over connection is accepted.
        if (options.HandedOver is { } handedOver)
        {
            kestrel.Listen(handedOver, static listen => listen.Protocols = HttpProtocols.Http1);
        }

        return (kestrel, plain, encrypted);
    }

    // The address is known only after the start.
    private static ListenOptions Listen(KestrelServerOptions kestrel, AdminEndpointOptions options, int port)
    {
        ListenOptions? listens = null;
        kestrel.Listen(options.Address, port, listen => (listens = listen).Protocols = HttpProtocols.Http1);
        return listens!;
    }

    private sealed class Application(AdminEndpointOptions options, AdminRoutes routes, AtomRoutes atom) : IHttpApplication<HttpContext>
    {
        private readonly AdminAuthorization _authorization = new(options.Key, options.TimeProvider, options.AllowAnonymous);
        private readonly bool _onlyLocal = IPAddress.IsLoopback(options.Address);

        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public void DisposeContext(HttpContext context, Exception? exception) { }

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
                answer = Fail(context, exception.StatusCode, "The request is malformed, too large or too slow.");
            }
            catch (Exception exception) when (exception is OperationCanceledException or IOException)
            {
                // The peer has disconnected, so there is no reader for an answer.
                EmulatorLog.PeerGone(options.Log, context.Request.Path.Value, exception);
                context.Abort();
                return;
            }
            catch (Exception exception)
            {
                EmulatorLog.AdministrationFailed(options.Log, context.Request.Path.Value, exception);
                answer = Fail(context, 500, $"The emulator failed: {exception.GetType().Name}.");
            }

            await WriteAsync(context, answer);
        }

        private async Task<AdminAnswer> AnswerAsync(HttpContext context)
        {
            // The path as it was sent: a name may contain an escaped slash.
            var path = GetPath(context);
            if (_onlyLocal && BrowserGuard.Refuse(context.Request.Scheme, context.Request.Host.Value, context.Request.Headers.Origin) is { } foreign)
            {
                return Fail(context, 403, foreign);
            }

            var isAtom = IsAtom(context);
            if ((path != HealthRoutes.Path || isAtom) && _authorization.Refuse(context.Request, path) is { } refusal)
            {
                context.Response.Headers.WWWAuthenticate = AdminAuthorization.Challenge;
                return Fail(context, 401, refusal);
            }

            if (isAtom)
            {
                return await atom.AnswerAsync(context.Request, path, context.RequestAborted);
            }

            var (action, values, notFound) = routes.Find(context.Request.Method, path);
            return action is null ? notFound! : await action(new AdminRequest(context.Request, values), context.RequestAborted);
        }

        private static string GetPath(HttpContext context) => context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget.Split('?', 2)[0];

        private bool IsAtom(HttpContext context) =>
            AtomRoutes.Serves(context.Request) || (AdminAuthorization.IsSigned(context.Request) && !routes.HasRoute(GetPath(context)));

        // In a format that the client can read.
        private AdminAnswer Fail(HttpContext context, int status, string error) =>
            IsAtom(context) ? AtomAnswer.Fail(status, error) : AdminAnswer.Fail(status, error);

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
