using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>What the answer to an attach carries beside the echo of its settle modes.</summary>
public sealed record LinkAnswer
{
    /// <summary>The largest message that we take, in bytes.</summary>
    public ulong? MaxMessageSize { get; init; }

    /// <summary>The source; the peer's own when null.</summary>
    public Source? Source { get; init; }

    /// <summary>The target; the peer's own when null.</summary>
    public Target? Target { get; init; }

    /// <summary>Properties of the link.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>The extensions that we support.</summary>
    public AmqpSymbol[]? OfferedCapabilities { get; init; }
}
