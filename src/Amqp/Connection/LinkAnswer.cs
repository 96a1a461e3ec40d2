using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>What the answer to an attach says besides its name, role and settle modes, which are echoed always.</summary>
public sealed record LinkAnswer
{
    /// <summary>The largest message in bytes; the listener's limit when null and the peer is the sender.</summary>
    public ulong? MaxMessageSize { get; init; }

    /// <summary>The source; the peer's own when null.</summary>
    public Source? Source { get; init; }

    /// <summary>The target; the peer's own when null.</summary>
    public Target? Target { get; init; }

    /// <summary>Properties of the link; the keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>The extensions that are supported.</summary>
    public AmqpSymbol[]? OfferedCapabilities { get; init; }
}
