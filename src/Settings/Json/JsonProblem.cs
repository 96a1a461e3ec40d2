using System.Globalization;
using System.Text.Json;

namespace EventHubThroughput.Settings.Json;

/// <summary>The problem of invalid JSON, without any of its bytes: a file that is not JSON may contain anything.</summary>
public static class JsonProblem
{
    private const int MostShown = 200;

    /// <summary>The place where the text is not JSON. For JSON of another form the problem, with line and column.</summary>
    public static string Of(JsonException wrong)
    {
        // The reader's exception has a separate type, or is the cause of the serializer's. Its message shows the byte that it read.
        if (wrong.GetType() != typeof(JsonException) || wrong.InnerException is JsonException)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"not valid JSON, error at line {(wrong.LineNumber ?? 0) + 1}, column {(wrong.BytePositionInLine ?? 0) + 1}"
            );
        }

        // The serializer appends path and place, both counted from 0. After a long message they would be cut off.
        var end = wrong.Message.IndexOf(" Path: ", StringComparison.Ordinal);
        var text = end < 0 ? wrong.Message : wrong.Message[..end];
        var shown = text.Length > MostShown ? $"{text[..MostShown]}..." : text;
        return wrong is { LineNumber: { } line, BytePositionInLine: { } column }
            ? string.Create(CultureInfo.InvariantCulture, $"{shown.TrimEnd('.')}, at line {line + 1}, column {column + 1}")
            : shown;
    }
}
