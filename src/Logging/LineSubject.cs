using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>The key by which lines count as repetitions.</summary>
/// <param name="Category">The logger's category.</param>
/// <param name="EventId">The kind of line.</param>
/// <param name="Name">The subject: the first value of the message.</param>
internal readonly record struct LineSubject(string Category, int EventId, string Name)
{
    // Peers choose some of the names.
    private const int LongestName = 200;

    public static LineSubject Of(string category, EventId eventId, IReadOnlyList<KeyValuePair<string, object?>> values)
    {
        // The last one is the message's template.
        var name = values.Count > 1 ? values[0].Value?.ToString() ?? string.Empty : string.Empty;
        return new LineSubject(category, eventId.Id, name.Length > LongestName ? name[..LongestName] : name);
    }

    /// <summary>The common subject of further lines of this kind, after the limit of subjects.</summary>
    public LineSubject Others => this with { Name = "\0others" };
}
