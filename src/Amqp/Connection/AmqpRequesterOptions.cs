using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>The address of a node, and how requests are sent to it.</summary>
public sealed record AmqpRequesterOptions
{
    /// <summary>The node, such as <c>$management</c> or <c>$cbs</c>.</summary>
    public required string Address { get; init; }

    /// <summary>Properties of both links. Null sends none.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>Answers that may arrive before one of them was read. At least 1.</summary>
    public uint Credit { get; init; } = 50;

    /// <summary>
    /// Called for an answer that matches no waiting request, for example after the caller gave up. From any thread. Must neither block nor throw.
    /// </summary>
    public Action? Dropped { get; init; }

    /// <summary>
    /// Called once with the reason when the links have ended unexpectedly, and with the number of requests without an answer. Must neither block nor throw.
    /// </summary>
    public Action<Exception, int>? Lost { get; init; }
}
