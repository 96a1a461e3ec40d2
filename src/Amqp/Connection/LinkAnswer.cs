using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>The answer to an attach, apart from the settle modes, which repeat those of the peer.</summary>
public sealed record LinkAnswer
{
    /// <summary>The largest message that is accepted, in bytes. The listener's limit when null and the peer is the sender.</summary>
    public ulong? MaxMessageSize { get; init; }

    /// <summary>
    /// The largest message that is still read, so that the link's owner can reject a message by name instead of losing the link. <see cref="MaxMessageSize"/>
    /// when null. Anything larger detaches the link.
    /// </summary>
    public ulong? ToleratedMessageSize { get; init; }

    /// <summary>The source. The peer's own when null.</summary>
    public Source? Source { get; init; }

    /// <summary>The target. The peer's own when null.</summary>
    public Target? Target { get; init; }

    /// <summary>Properties of the link. The peer's own when null, as the services answer.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>The extensions that we support.</summary>
    public AmqpSymbol[]? OfferedCapabilities { get; init; }
}
