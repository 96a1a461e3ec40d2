using System.Net;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>What a listener met at its edge.</summary>
public enum ListenerEvent
{
    /// <summary>A socket could not be accepted: its peer was gone, or descriptors ran out.</summary>
    NotAccepted,

    /// <summary>A peer was turned away, because as many as allowed are there.</summary>
    TurnedAway,

    /// <summary>A peer did not get through TLS, SASL or open.</summary>
    HandshakeFailed,

    /// <summary>A connection has ended with an error, of either side.</summary>
    ConnectionEnded,

    /// <summary>A link was refused.</summary>
    LinkRefused,

    /// <summary>Whoever was to answer for a link has failed. The peer is told no more than that.</summary>
    LinkFailed,

    /// <summary>A call that was told of an end has failed.</summary>
    CallFailed,

    /// <summary>What serves requests of HTTP has failed. Its connection was closed.</summary>
    HttpFailed,
}

/// <summary>One thing that a listener met and went on after.</summary>
/// <param name="Event">What it was.</param>
/// <param name="Peer">Whose connection it was. Null when that is not known.</param>
public sealed record ListenerNotice(ListenerEvent Event, EndPoint? Peer)
{
    /// <summary>The link's name and node, as the peer wrote them.</summary>
    public string? Link { get; init; }

    /// <summary>What the peer was told, or told us.</summary>
    public AmqpError? Error { get; init; }

    /// <summary>The cause, where there is one.</summary>
    public Exception? Exception { get; init; }
}
