using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>A queue, or the queue of a subscription, with the settings of its creator.</summary>
public sealed record QueueSettings(string Name)
{
    public TimeSpan LockDuration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Deliveries that may fail before a message is dead-lettered.</summary>
    public int MaximumDeliveryCount { get; init; } = 10;

    /// <summary>Upper limit of the time to live of every message. Null sets none.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>Whether expired messages are dead-lettered instead of deleted.</summary>
    public bool DeadLetterExpired { get; init; }

    /// <summary>How long a message id is remembered. In that time, a second message with the id is accepted and dropped. Null disables detection.</summary>
    public TimeSpan? DuplicateDetection { get; init; }

    /// <summary>The queue or topic that receives every message instead. Null keeps them.</summary>
    public string? ForwardTo { get; init; }

    /// <summary>The queue or topic that receives the dead letters instead.</summary>
    public string? ForwardDeadLettersTo { get; init; }

    /// <summary>The first rules of a subscription. Null for the default rule, which accepts everything. Clients add and remove rules at any time.</summary>
    internal IReadOnlyList<FirstRule>? Rules { get; init; }

    internal EntityMetadata Notes { get; init; } = EntityMetadata.None;

    /// <summary>Whether both have the same settings. Notes and current rules are ignored.</summary>
    internal bool IsLike(QueueSettings other) => this == other with { Name = Name, Notes = Notes, Rules = Rules };
}

/// <summary>One of the first rules of a subscription.</summary>
internal sealed record FirstRule(string Name, RuleFilter Filter);
