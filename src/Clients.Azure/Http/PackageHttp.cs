using Azure.Core;
using Azure.Core.Pipeline;

namespace EventHubThroughput.Clients.Azure.Http;

/// <summary>The HTTP connections of the packages, and their retries.</summary>
internal static class PackageHttp
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Creates the connections. The caller disposes of them.</summary>
    /// <param name="isLoopback">Whether the service is on this machine, so that no proxy is used.</param>
    /// <param name="mostConnections">The most connections to a service.</param>
    public static HttpClient CreateClient(bool isLoopback, int mostConnections = int.MaxValue) =>
        new(
            new SocketsHttpHandler
            {
                ActivityHeadersPropagator = null,
                AllowAutoRedirect = false,
                ConnectTimeout = ConnectTimeout,
                MaxConnectionsPerServer = mostConnections,
                PooledConnectionLifetime = TimeSpan.FromMinutes(10),
                UseCookies = false,
                UseProxy = !isLoopback,
            },
            disposeHandler: true
        )
        {
            // Every try has its own time-out.
            Timeout = Timeout.InfiniteTimeSpan,
        };

    /// <summary>Applies connections and retries to the options of a client. All retries are explicit: the defaults would add others to each of ours.</summary>
    /// <param name="options">The options.</param>
    /// <param name="transport">The connections.</param>
    /// <param name="retry">The retries of each operation.</param>
    public static T Apply<T>(T options, HttpClientTransport transport, RetryOptions retry)
        where T : global::Azure.Core.ClientOptions
    {
        options.Transport = transport;
        options.Retry.Mode = RetryMode.Exponential;
        options.Retry.MaxRetries = retry.MaximumRetries;
        options.Retry.Delay = retry.FirstDelay;
        options.Retry.MaxDelay = retry.MaximumDelay;
        options.Retry.NetworkTimeout = retry.TryTimeout;
        return options;
    }
}
