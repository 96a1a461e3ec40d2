using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>How a session is begun.</summary>
public sealed record AmqpSessionOptions
{
    /// <summary>Transfer frames that the peer may send ahead, at least 1; announced again when half is used. 5,000 by default.</summary>
    public uint IncomingWindow { get; init; } = 5_000;

    /// <summary>The outgoing window announced; 5,000 by default.</summary>
    public uint OutgoingWindow { get; init; } = 5_000;

    /// <summary>The highest link handle that the peer may use; 255 by default.</summary>
    public uint HandleMax { get; init; } = 255;

    /// <summary>Properties in begin; the keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }
}
