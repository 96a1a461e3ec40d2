using Azure.Core.Pipeline;
using EventHubThroughput.Clients.Azure.Http;

namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>The connections and retries of all administration clients.</summary>
internal sealed class AdministrationTransport : IDisposable
{
    private readonly RetryOptions retry;
    private readonly HttpClient http;
    private readonly HttpClientTransport transport;

    /// <param name="retry">The retries of each operation.</param>
    /// <param name="isLoopback">Whether the services are on this machine, so that no proxy is used.</param>
    public AdministrationTransport(RetryOptions retry, bool isLoopback)
    {
        this.retry = retry;
        http = PackageHttp.CreateClient(isLoopback);
        transport = new HttpClientTransport(http);
    }

    /// <summary>Applies them to the options of a client.</summary>
    public T ApplyTo<T>(T options)
        where T : global::Azure.Core.ClientOptions => PackageHttp.Apply(options, transport, retry);

    public void Dispose()
    {
        transport.Dispose();
        http.Dispose();
    }
}
