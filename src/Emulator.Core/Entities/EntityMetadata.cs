using System.Xml;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Properties of a queue, topic or subscription that do not affect its messages.</summary>
internal sealed record EntityMetadata
{
    /// <summary>The name of <see cref="IdleLimit"/> in the description.</summary>
    public const string IdleName = "AutoDeleteOnIdle";

    public static EntityMetadata None { get; } = new();

    public DateTimeOffset Created { get; init; }

    /// <summary>When its settings were last changed.</summary>
    public DateTimeOffset Changed { get; init; }

    /// <summary>Properties that a client has set and reads again, by their names.</summary>
    public IReadOnlyDictionary<string, string> Kept { get; init; } = new Dictionary<string, string>();

    /// <summary>The idle time after which it is deleted. Null: never.</summary>
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
                // The longest duration, as some clients round it.
                return null;
            }
        }
    }

    public EntityMetadata Begun(DateTimeOffset now) => this with { Created = now, Changed = now };

    /// <summary>These notes as a change of an existing entity.</summary>
    public EntityMetadata Continuing(EntityMetadata before, DateTimeOffset now) => this with { Created = before.Created, Changed = now };
}
