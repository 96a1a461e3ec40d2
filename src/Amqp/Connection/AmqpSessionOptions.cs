using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>The windows of a session.</summary>
public sealed record AmqpSessionOptions
{
    /// <summary>Transfer frames that are accepted before the window is announced again.</summary>
    public uint IncomingWindow { get; init; } = 5_000;

    /// <summary>Transfer frames that may be under way. Informative.</summary>
    public uint OutgoingWindow { get; init; } = 5_000;

    /// <summary>The highest handle. One less than the number of links.</summary>
    public uint HandleMax { get; init; } = 255;

    /// <summary>Outgoing deliveries that may be unsettled concurrently. Transfers wait while this number is reached.</summary>
    public int UnsettledLimit { get; init; } = 5_000;

    /// <summary>Session properties of the begin frame.</summary>
    public AmqpMap? Properties { get; init; }
}
