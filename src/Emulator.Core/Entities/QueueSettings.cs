using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>A queue, or the queue behind a subscription, as its creator wants it.</summary>
public sealed record QueueSettings(string Name)
{
    public TimeSpan LockDuration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Deliveries that may fail before a message becomes a dead letter.</summary>
    public int MaximumDeliveryCount { get; init; } = 10;

    /// <summary>Upper limit of every message's time to live. Null has none.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>Whether messages whose time is over become dead letters instead of going away.</summary>
    public bool DeadLetterExpired { get; init; }

    /// <summary>For how long a message id is remembered, so that a second message of that id is taken and dropped. Null: not at all.</summary>
    public TimeSpan? DuplicateDetection { get; init; }

    /// <summary>Queue or topic that gets every message instead. Null keeps them.</summary>
    public string? ForwardTo { get; init; }

    /// <summary>Queue or topic that gets the dead letters instead.</summary>
    public string? ForwardDeadLettersTo { get; init; }

    /// <summary>What a subscription begins with. Null for the one rule that takes everything. Clients add and remove rules at any time.</summary>
    internal IReadOnlyList<FirstRule>? Rules { get; init; }

    internal EntityMetadata Notes { get; init; } = EntityMetadata.None;

    /// <summary>Whether both ask for the same, whatever is noted of them and whatever rules it has now.</summary>
    internal bool IsLike(QueueSettings other) => this == other with { Name = Name, Notes = Notes, Rules = Rules };
}

/// <summary>A rule that a subscription begins with.</summary>
internal sealed record FirstRule(string Name, RuleFilter Filter);
