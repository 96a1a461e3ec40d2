using Azure.Core;
using Azure.Core.Pipeline;

namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>The connections and retries of all administration clients.</summary>
internal sealed class AdministrationTransport : IDisposable
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);

    private readonly RetryOptions retry;
    private readonly HttpClient http;
    private readonly HttpClientTransport transport;

    /// <param name="retry">The retries of each operation.</param>
    /// <param name="isLoopback">Whether the services are on this machine, so that no proxy is used.</param>
    public AdministrationTransport(RetryOptions retry, bool isLoopback)
    {
        this.retry = retry;
        http = new HttpClient(
            new SocketsHttpHandler
            {
                ActivityHeadersPropagator = null,
                AllowAutoRedirect = false,
                ConnectTimeout = ConnectTimeout,
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
        transport = new HttpClientTransport(http);
    }

    /// <summary>Applies them to the options of a client.</summary>
    public T ApplyTo<T>(T options)
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

    public void Dispose()
    {
        transport.Dispose();
        http.Dispose();
    }
}
