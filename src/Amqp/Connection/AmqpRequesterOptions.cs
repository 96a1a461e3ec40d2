using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>Which node is asked, and how.</summary>
public sealed record AmqpRequesterOptions
{
    /// <summary>The node, such as <c>$management</c> or <c>$cbs</c>.</summary>
    public required string Address { get; init; }

    /// <summary>Properties of both links. Null sends none.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>Answers that may come before one of them was looked at. At least 1.</summary>
    public uint Credit { get; init; } = 50;

    /// <summary>Told of an answer to no request that waits for one, as after it was given up. From any thread, must neither block nor throw.</summary>
    public Action? Dropped { get; init; }

    /// <summary>Told once why the links have ended, unless that was asked for, and how many requests are left without an answer. Must neither block nor throw.</summary>
    public Action<Exception, int>? Lost { get; init; }
}
