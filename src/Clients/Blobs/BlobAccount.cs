using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.Blobs;

internal sealed record BlobAccountOptions
{
    /// <summary>The retry policy of failed requests.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>The clock of dates, waits and time-outs.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Connections to the account at one time. Default 256.</summary>
    public int Connections { get; init; } = BlobLimits.MostConnections;

    /// <summary>The longest time for making a connection. Default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Receives the steps of writes, or null.</summary>
    public Action<OperationStep>? Observer { get; init; }

    /// <summary>Receives the least difference between the storage clock and ours, once per answer, or null.</summary>
    public Action<ClockDifference>? ClockRead { get; init; }

    /// <summary>Receives a line when connections have failed for a second, or null.</summary>
    public Action<string>? Notice { get; init; }

    /// <summary>Logs failures that do not reach a caller.</summary>
    public ILogger Log { get; init; } = NullLogger.Instance;

    /// <summary>Returns numbers from 0 up to 1 that spread the retries. Called from any thread.</summary>
    public Func<double> Jitter { get; init; } = Random.Shared.NextDouble;
}

/// <summary>A storage account: owns the connections that its containers share.</summary>
internal sealed class BlobAccount : IBlobAccount
{
    // An invoker and not an HttpClient, which would create a second cancellation source for each request.
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

        // Requests under way end first. Otherwise a disposed handler would make them fail like an error of the network.
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
    /// <summary>Returns a client of a container. Nothing is sent.</summary>
    /// <param name="name">The container.</param>
    /// <param name="retry">The retry policy of its requests. Null for that of the account.</param>
    IBlobContainer GetContainer(string name, RetryOptions? retry = null);
}
