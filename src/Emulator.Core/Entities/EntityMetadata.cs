using System.Xml;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>What is known of a queue, topic or subscription beside the settings that its messages obey.</summary>
internal sealed record EntityMetadata
{
    /// <summary>Under which name the description has <see cref="IdleLimit"/>.</summary>
    public const string IdleName = "AutoDeleteOnIdle";

    public static EntityMetadata None { get; } = new();

    public DateTimeOffset Created { get; init; }

    /// <summary>When its settings became what they are.</summary>
    public DateTimeOffset Changed { get; init; }

    /// <summary>Properties that a client gave it and wants to see again, by their names.</summary>
    public IReadOnlyDictionary<string, string> Kept { get; init; } = new Dictionary<string, string>();

    /// <summary>How long it may be left alone before it goes away. Null: for ever.</summary>
    public TimeSpan? IdleLimit
    {
        get
        {
            try
            {
                return Kept.TryGetValue(IdleName, out var text) ? XmlConvert.ToTimeSpan(text) : null;
            }
            catch (OverflowException)
            {
                // The longest of all, as some clients round it.
                return null;
            }
        }
    }

    public EntityMetadata Begun(DateTimeOffset now) => this with { Created = now, Changed = now };

    /// <summary>These notes of an entity that was there before.</summary>
    public EntityMetadata Continuing(EntityMetadata before, DateTimeOffset now) => this with { Created = before.Created, Changed = now };
}
