using System.Collections.ObjectModel;

namespace EventHubThroughput.Events;

/// <summary>An event to be sent.</summary>
public sealed record OutgoingEvent
{
    /// <summary>The body's bytes. At most the link's maximum message size with everything else.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>The content type, or null.</summary>
    public string? ContentType { get; init; }

    /// <summary>Application properties: string, bool, integers, float, double, Guid, DateTimeOffset or byte[] values.</summary>
    public IReadOnlyDictionary<string, object?> Properties { get; init; } = ReadOnlyDictionary<string, object?>.Empty;
}
