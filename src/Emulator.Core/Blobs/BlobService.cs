using System.Globalization;
using System.Net;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Logs;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using BadHttpRequestException = Microsoft.AspNetCore.Http.BadHttpRequestException;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The blob endpoint: Kestrel without a generic host, so that no configuration file, signal or log of a host affects the emulator.</summary>
internal sealed class BlobService : IAsyncDisposable
{
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    private readonly BlobServiceOptions options;
    private readonly KestrelServer server;
    private readonly CancellationTokenSource stopping;
    private int disposed;

    private BlobService(BlobServiceOptions options, BlobStore store, KestrelServer server, CancellationTokenSource stopping)
    {
        this.options = options;
        Store = store;
        this.server = server;
        this.stopping = stopping;
        var address = server.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single();
        Endpoint = new Uri(string.Create(CultureInfo.InvariantCulture, $"{address}/{options.Account}"));
    }

    /// <summary>The address of the account, without a trailing slash.</summary>
    public Uri Endpoint { get; }

    /// <summary>The containers, for administration without the protocol.</summary>
    public BlobStore Store { get; }

    public int Port => Endpoint.Port;

    /// <summary>The connection string for clients. It contains the key and must not be logged.</summary>
    public string ConnectionString =>
        $"DefaultEndpointsProtocol=http;AccountName={options.Account};AccountKey={Convert.ToBase64String(options.Key)};BlobEndpoint={Endpoint};";

    /// <summary>Opens the store and starts to listen.</summary>
    /// <exception cref="IOException">The port is in use.</exception>
    /// <exception cref="ArgumentException">A container's name is not allowed.</exception>
    /// <exception cref="EmulatorException">Stored data of an earlier run cannot be read.</exception>
    public static Task<BlobService> StartAsync(BlobServiceOptions options, CancellationToken cancellationToken) =>
        StartAsync(options, OpenStore(options), cancellationToken);

    /// <summary>Starts to listen.</summary>
    /// <exception cref="IOException">The port is in use.</exception>
    public static async Task<BlobService> StartAsync(BlobServiceOptions options, BlobStore store, CancellationToken cancellationToken)
    {
        CancellationTokenSource ending = new();
        KestrelServer kestrel = new(Options.Create(Configure(options)), new BoundedTransport(options.ConnectionLimit), NullLoggerFactory.Instance);
        try
        {
            await kestrel.StartAsync(new Application(CreateRouter(options, store, ending.Token), options.Log), cancellationToken);
            return new BlobService(options, store, kestrel, ending);
        }
        catch
        {
            kestrel.Dispose();
            ending.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) != 0)
        {
            return;
        }

        await stopping.CancelAsync();
        using CancellationTokenSource limit = new(StopLimit, TimeProvider.System);
        await server.StopAsync(limit.Token);
        server.Dispose();
        stopping.Dispose();
    }

    private static KestrelServerOptions Configure(BlobServiceOptions options)
    {
        KestrelServerOptions kestrel = new() { AddServerHeader = false, AllowResponseHeaderCompression = false };
        kestrel.Limits.MaxRequestHeadersTotalSize = options.HeaderLimit;
        kestrel.Limits.MaxRequestLineSize = Math.Min(16 * 1024, options.HeaderLimit);
        kestrel.Limits.MaxRequestBufferSize = 1024 * 1024;

        // Higher than the limit of the content, which answers with the error of the service.
        kestrel.Limits.MaxRequestBodySize = options.BodyLimit + StructuredBodyFormat.MostOverhead + (64 * 1024);
        kestrel.Limits.RequestHeadersTimeout = options.HeaderTime;
        kestrel.Limits.KeepAliveTimeout = TimeSpan.FromSeconds(240);
        kestrel.Limits.MinRequestBodyDataRate = new MinDataRate(options.MinimumRate, options.MinimumRateGrace);
        kestrel.Limits.MinResponseDataRate = new MinDataRate(options.MinimumRate, options.MinimumRateGrace);
        kestrel.Listen(
            options.Address,
            options.Port,
            listen =>
            {
                listen.Protocols = HttpProtocols.Http1;
                listen.Use(next => connection => FirstByte.AwaitAsync(connection, options.HeaderTime, next));
                if (options.Faults is { } faults)
                {
                    listen.Use(next => connection => faults.ServeAsync(connection, next));
                }
            }
        );
        return kestrel;
    }

    /// <summary>Opens the containers of an earlier run and those of the options.</summary>
    /// <exception cref="ArgumentException">A container's name is not allowed.</exception>
    /// <exception cref="EmulatorException">Stored data of an earlier run cannot be read.</exception>
    public static BlobStore OpenStore(BlobServiceOptions options)
    {
        BlobJournal journal = new(options.Journal, options.Diagnostics) { NotesArrivals = options.Data is null };
        BlobStore store = new(new VersionSource(options.TimeProvider), options.Budget, journal, options.Data, options.ContainerLimit);
        foreach (var name in options.Containers)
        {
            if (store.Create(name, new Dictionary<string, string>(), out _) is { } failure && failure != BlobFailure.ContainerAlreadyExists)
            {
                throw new ArgumentException($"container '{name}': {failure.Message}", nameof(options));
            }
        }

        return store;
    }

    private static BlobRouter CreateRouter(BlobServiceOptions options, BlobStore store, CancellationToken stopping)
    {
        BodyReader bodies = new(options.Budget, options.BodyLimit);
        BlobAuthorization authorization = new(options);
        BlobStoring storing = new(store.Journal, options.Latency, stopping);
        BlockOperations blocks = new(store, bodies, storing, options.BlobLimit);
        return new BlobRouter(
            options,
            authorization,
            new ContainerOperations(store, bodies),
            new ContainerLists(store, options),
            new LeaseOperations(store),
            new BlobReads(store),
            new BlobWrites(store, bodies, storing),
            blocks,
            new BlobCopies(store, new CopySource(options, store, authorization), bodies, storing, blocks)
        );
    }

    /// <summary>Turns exceptions of the router into an answer if possible.</summary>
    private sealed class Application(BlobRouter router, ILogger log) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public void DisposeContext(HttpContext context, Exception? exception) { }

        public async Task ProcessRequestAsync(HttpContext context)
        {
            try
            {
                await router.HandleAsync(context);
            }
            catch (Exception exception) when (exception is OperationCanceledException or ConnectionResetException or ConnectionAbortedException)
            {
                // The peer has disconnected, or the service stops. There is no reader for an answer.
                EmulatorLog.PeerGone(log, context.Request.Path.Value, exception);
                context.Abort();
            }
            catch (Exception exception) when (exception is not BadHttpRequestException && !context.Response.HasStarted)
            {
                EmulatorLog.BlobRequestFailed(log, context.Request.Path.Value, exception);
                context.Response.Clear();
                await BlobAnswer.FailAsync(context, BlobFailure.InternalError);
            }
        }
    }
}
