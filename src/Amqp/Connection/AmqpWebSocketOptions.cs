using System.Net;

namespace EventHubThroughput.Amqp;

/// <summary>How AMQP is carried over a WebSocket (RFC 6455, and the AMQP WebSocket Binding of OASIS), for networks that allow only HTTP.</summary>
public sealed record AmqpWebSocketOptions
{
    /// <summary>The WebSocket path of Event Hubs and Service Bus.</summary>
    public const string AzurePath = "/$servicebus/websocket";

    /// <summary>The subprotocol as Azure names it. The binding names it <c>amqp</c>.</summary>
    public const string AzureSubprotocol = "AMQPWSB10";

    /// <summary>The requested path.</summary>
    public string Path { get; init; } = AzurePath;

    /// <summary>The requested subprotocol.</summary>
    public string Subprotocol { get; init; } = AzureSubprotocol;

    /// <summary>The proxy. Null uses the system's proxy, as the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY name it.</summary>
    public IWebProxy? Proxy { get; init; }
}
