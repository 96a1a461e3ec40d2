using System.IO.Pipelines;
using System.Net;

namespace EventHubThroughput.Amqp;

/// <summary>A peer whose first bytes are an HTTP request that does not ask for a WebSocket. Its bytes are not encrypted, also on a port with TLS.</summary>
/// <param name="Input">The received bytes, from the first byte of the request on.</param>
/// <param name="Output">Takes the answers. The listener closes it.</param>
public sealed record AmqpHttpPeer(PipeReader Input, Stream Output)
{
    /// <summary>The local address that accepted the connection.</summary>
    public EndPoint? LocalEndPoint { get; init; }

    /// <summary>The peer's address.</summary>
    public EndPoint? RemoteEndPoint { get; init; }

    /// <summary>Whether the port uses TLS.</summary>
    public bool IsEncrypted { get; init; }
}
