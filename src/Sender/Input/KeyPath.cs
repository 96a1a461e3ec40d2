using System.Text.Json;

namespace EventHubThroughput.Sender.Input;

/// <summary>
/// Where the partition key of an event is: a field of the outermost object, or the names on the way to one of an inner object, joined by dots. A field
/// whose name itself has the dots comes first.
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

    /// <summary>Whether a name leads to the field from within an object that so many names have led to.</summary>
    public bool LeadsOn(ref Utf8JsonReader json, int depth) => depth < names.Length && json.ValueTextEquals(names[depth]);

    /// <summary>Whether so many names lead to the field itself.</summary>
    public bool IsWhole(int depth) => depth == names.Length;
}
