using System.Net;

namespace EventHubThroughput.Amqp;

/// <summary>How AMQP is carried over a WebSocket (RFC 6455, and the AMQP WebSocket Binding of OASIS), where nothing but HTTP gets through.</summary>
public sealed record AmqpWebSocketOptions
{
    /// <summary>Where Event Hubs and Service Bus take WebSockets.</summary>
    public const string AzurePath = "/$servicebus/websocket";

    /// <summary>The subprotocol as Azure names it. That of the binding is <c>amqp</c>.</summary>
    public const string AzureSubprotocol = "AMQPWSB10";

    /// <summary>The path that is asked for.</summary>
    public string Path { get; init; } = AzurePath;

    /// <summary>The subprotocol that is asked for.</summary>
    public string Subprotocol { get; init; } = AzureSubprotocol;

    /// <summary>The proxy. Null takes that of the system, as the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY name it.</summary>
    public IWebProxy? Proxy { get; init; }
}
