using Azure.Core;
using Azure.Core.Pipeline;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>Where a namespace is administered: over HTTPS at its host. Port 443, unless the endpoint names a port that is not one of AMQP.</summary>
internal sealed class AdministrationAddress(MessagingConnectionString service)
{
    private const int HttpsPort = 443;

    // The administration of the emulator of Microsoft.
    private const int EmulatorPort = 5300;

    private static readonly int[] AmqpPorts = [5671, 5672];

    /// <summary>The scheme, host and port.</summary>
    public Uri Uri { get; } =
        new UriBuilder(
            service.UseDevelopmentEmulator ? Uri.UriSchemeHttp : Uri.UriSchemeHttps,
            service.Host,
            service.Port is { } port && !AmqpPorts.Contains(port) ? port
                : service.UseDevelopmentEmulator ? EmulatorPort
                : HttpsPort
        ).Uri;

    /// <summary>A policy that sends the requests of a package to this port. The packages know port 443 only.</summary>
    public HttpPipelinePolicy UsePort() => new PortPolicy(Uri.Port);

    private sealed class PortPolicy(int port) : HttpPipelineSynchronousPolicy
    {
        public override void OnSendingRequest(HttpMessage message) => message.Request.Uri.Port = port;
    }
}
