using System.Globalization;
using System.Text.Json;

namespace EventHubThroughput.Settings.Json;

/// <summary>What is wrong with JSON, without a byte of it: a file that is none may be anything.</summary>
public static class JsonProblem
{
    private const int MostShown = 200;

    /// <summary>Where it is no JSON; of JSON of another form what is wrong, with line and column.</summary>
    public static string Of(JsonException wrong)
    {
        // The reader's exception is of a type of its own, or the cause of the serializer's. Its message shows the byte that it met.
        if (wrong.GetType() != typeof(JsonException) || wrong.InnerException is JsonException)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"not valid JSON, error at line {(wrong.LineNumber ?? 0) + 1}, column {(wrong.BytePositionInLine ?? 0) + 1}"
            );
        }

        // The serializer appends path and place, both counted from 0, which a long message would push out of sight.
        var end = wrong.Message.IndexOf(" Path: ", StringComparison.Ordinal);
        var text = end < 0 ? wrong.Message : wrong.Message[..end];
        var shown = text.Length > MostShown ? $"{text[..MostShown]}..." : text;
        return wrong is { LineNumber: { } line, BytePositionInLine: { } column }
            ? string.Create(CultureInfo.InvariantCulture, $"{shown.TrimEnd('.')}, at line {line + 1}, column {column + 1}")
            : shown;
    }
}
