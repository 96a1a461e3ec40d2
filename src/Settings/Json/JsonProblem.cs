using System.Globalization;
using System.Text.Json;

namespace EventHubThroughput.Settings.Json;

/// <summary>What is wrong with JSON, without a byte of it: a file that is none may be anything.</summary>
public static class JsonProblem
{
    private const int MostShown = 200;

    /// <summary>Where it is no JSON; of JSON of another form what it lacks.</summary>
    public static string Of(JsonException wrong)
    {
        // The reader's exception is of a type of its own, or the cause of the serializer's. Its message shows the byte that it met.
        if (wrong.GetType() != typeof(JsonException) || wrong.InnerException is JsonException)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"not valid JSON, wrong at line {(wrong.LineNumber ?? 0) + 1}, column {(wrong.BytePositionInLine ?? 0) + 1}"
            );
        }

        return wrong.Message.Length > MostShown ? wrong.Message[..MostShown] + "..." : wrong.Message;
    }
}
