namespace EventHubThroughput.Emulator.Entities;

/// <summary>What is known of a queue, topic or subscription and changes nothing about what it does.</summary>
internal sealed record EntityNotes
{
    public static EntityNotes None { get; } = new();

    public DateTimeOffset Created { get; init; }

    /// <summary>When its settings became what they are.</summary>
    public DateTimeOffset Changed { get; init; }

    /// <summary>Properties that a client gave it and wants to see again, by their names.</summary>
    public IReadOnlyDictionary<string, string> Kept { get; init; } = new Dictionary<string, string>();

    public EntityNotes Begun(DateTimeOffset now) => this with { Created = now, Changed = now };

    /// <summary>These notes of an entity that was there before.</summary>
    public EntityNotes Continuing(EntityNotes before, DateTimeOffset now) => this with { Created = before.Created, Changed = now };
}
