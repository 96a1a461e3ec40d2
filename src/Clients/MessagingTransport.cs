using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients;

/// <summary>What carries AMQP to Event Hubs and Service Bus.</summary>
public enum MessagingTransport
{
    /// <summary>The socket itself, with TLS: port 5671 unless the endpoint names another one.</summary>
    Tcp,

    /// <summary>
    /// A WebSocket, for networks that allow only HTTPS, by the system's proxy if there is one. Port 443 unless the endpoint names another one.
    /// </summary>
    WebSockets,
}

/// <summary>The ports of transports.</summary>
internal static class MessagingTransports
{
    private const int HttpPort = 80;
    private const int HttpsPort = 443;

    /// <summary>The port of a namespace.</summary>
    public static int GetPort(this MessagingTransport transport, MessagingConnectionString service) =>
        transport == MessagingTransport.WebSockets ? service.Port ?? (service.UseDevelopmentEmulator ? HttpPort : HttpsPort) : service.EffectivePort;
}
