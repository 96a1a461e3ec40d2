using System.Text.Json;

namespace EventHubThroughput.Sender.Input;

/// <summary>
/// The path of the partition key in an event: a field of the outermost object, or the names that lead to a field of an inner object, joined by dots. A field
/// whose name contains the dots is preferred.
/// </summary>
internal sealed class KeyPath
{
    private readonly string[] names;

    private KeyPath(string text)
    {
        Text = text;
        names = text.Split('.');
    }

    /// <summary>As the user wrote it.</summary>
    public string Text { get; }

    public static KeyPath? Of(string? text) => text is null ? null : new KeyPath(text);

    /// <summary>Whether the current name leads further along the path, inside an object at this depth.</summary>
    public bool IsPrefix(ref Utf8JsonReader json, int depth) => depth < names.Length && json.ValueTextEquals(names[depth]);

    /// <summary>Whether a path of this depth names the field itself.</summary>
    public bool IsWhole(int depth) => depth == names.Length;
}
