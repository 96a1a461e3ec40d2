using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Settings of the blob client.</summary>
internal sealed record BlobAccountOptions
{
    /// <summary>How failed requests are tried again.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>The clock of dates, waits and time-outs.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Connections to the account at one time. Default 256.</summary>
    public int Connections { get; init; } = BlobLimits.MostConnections;

    /// <summary>How long making a connection may take. Default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Told how far writes have come, or null.</summary>
    public Action<OperationStep>? Observer { get; init; }

    /// <summary>Told by each answer how far the storage clock is from ours at the least, or null.</summary>
    public Action<ClockDifference>? ClockRead { get; init; }

    /// <summary>Called with a line when connections have failed for a second, or null.</summary>
    public Action<string>? Notice { get; init; }

    /// <summary>Where failures are told that do not reach a caller.</summary>
    public ILogger Log { get; init; } = NullLogger.Instance;

    /// <summary>Gives numbers from 0 up to 1, from any thread, that spread the retries.</summary>
    public Func<double> Jitter { get; init; } = Random.Shared.NextDouble;
}

/// <summary>A storage account: owns the connections that its containers share.</summary>
internal sealed class BlobAccount : IBlobAccount
{
    // Without the client around it, which makes a source of cancellation for each request beside ours.
    private readonly HttpMessageInvoker http;
    private readonly CancellationTokenSource lifetime = new();
    private readonly DeadlinePool deadlines;
    private readonly BlobPipeline pipeline;
    private readonly StorageConnectionString settings;
    private bool isDisposed;

    public BlobAccount(StorageConnectionString settings, BlobAccountOptions options)
    {
        this.settings = settings;
#pragma warning disable CA2000 // The invoker owns and disposes its handler.
        http = new HttpMessageInvoker(CreateHandler(settings, options), disposeHandler: true);
#pragma warning restore CA2000
        deadlines = new DeadlinePool(options.TimeProvider, lifetime.Token);
        pipeline = new BlobPipeline(
            http,
            deadlines,
            settings,
            options,
            new Outage(options.Retry, options.TimeProvider, $"{settings.BlobEndpoint.Host}:{settings.BlobEndpoint.Port}", options.Notice)
        );
    }

    /// <inheritdoc/>
    public IBlobContainer GetContainer(string name, RetryOptions? retry = null) =>
        new BuiltInBlobContainer(retry is null ? pipeline : pipeline.With(retry), settings.BlobEndpoint.AbsoluteUri.TrimEnd('/'), name);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (isDisposed)
        {
            return;
        }

        isDisposed = true;

        // What is under way ends first, so that none of it meets a disposed handler as an error of the network.
        lifetime.Cancel();
        http.Dispose();
        deadlines.Dispose();
        lifetime.Dispose();
    }

    private static SocketsHttpHandler CreateHandler(StorageConnectionString settings, BlobAccountOptions options) =>
        new()
        {
            ActivityHeadersPropagator = null,
            AllowAutoRedirect = false,
            ConnectTimeout = options.ConnectTimeout,
            MaxConnectionsPerServer = options.Connections,
            PooledConnectionLifetime = TimeSpan.FromMinutes(10),
            UseCookies = false,
            UseProxy = !settings.BlobEndpoint.IsLoopback,
        };
}

/// <summary>A storage account: owns the connections that its containers share.</summary>
internal interface IBlobAccount : IDisposable
{
    /// <summary>Gives access to a container. Nothing is sent.</summary>
    /// <param name="name">The container.</param>
    /// <param name="retry">How its requests are tried again. Null as the account's are.</param>
    IBlobContainer GetContainer(string name, RetryOptions? retry = null);
}
