using System.IO.Pipelines;
using System.Net;

namespace EventHubThroughput.Amqp;

/// <summary>A peer that begins with a request of HTTP which asks for no WebSocket. Its bytes are plain, also on a port with TLS.</summary>
/// <param name="Input">What comes, from the first byte of the request on.</param>
/// <param name="Output">Takes the answers. The listener closes it.</param>
public sealed record AmqpHttpPeer(PipeReader Input, Stream Output)
{
    /// <summary>Where it was accepted.</summary>
    public EndPoint? LocalEndPoint { get; init; }

    /// <summary>The peer's address.</summary>
    public EndPoint? RemoteEndPoint { get; init; }

    /// <summary>Whether the port speaks TLS.</summary>
    public bool IsEncrypted { get; init; }
}
