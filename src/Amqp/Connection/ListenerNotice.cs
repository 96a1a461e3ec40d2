using System.Net;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>An event that a listener reports.</summary>
public enum ListenerEvent
{
    /// <summary>A socket could not be accepted: its peer was gone, or descriptors ran out.</summary>
    NotAccepted,

    /// <summary>A peer was refused, because the allowed number of connections is open.</summary>
    TurnedAway,

    /// <summary>The handshake of a peer (TLS, SASL or open) failed.</summary>
    HandshakeFailed,

    /// <summary>A connection has ended with an error, of either side.</summary>
    ConnectionEnded,

    /// <summary>A link was refused.</summary>
    LinkRefused,

    /// <summary>The component that answers for a link has failed. The peer receives only an internal error.</summary>
    LinkFailed,

    /// <summary>A callback for an end has failed.</summary>
    CallFailed,

    /// <summary>The handler of HTTP requests has failed. Its connection was closed.</summary>
    HttpFailed,
}

/// <summary>An event after which a listener has continued.</summary>
/// <param name="Event">The event.</param>
/// <param name="Peer">The address of the peer. Null when it is not known.</param>
public sealed record ListenerNotice(ListenerEvent Event, EndPoint? Peer)
{
    /// <summary>The link's name and node, as the peer wrote them.</summary>
    public string? Link { get; init; }

    /// <summary>The error that was sent to the peer, or received from it.</summary>
    public AmqpError? Error { get; init; }

    /// <summary>The cause, where there is one.</summary>
    public Exception? Exception { get; init; }
}
