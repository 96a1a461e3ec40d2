using System.Text.Json;
using System.Text.Unicode;

namespace EventHubThroughput.Sender.Input;

/// <summary>One JSON value as an event: its body and its key, or its problem.</summary>
internal readonly record struct JsonBody(ReadOnlyMemory<byte> Body, bool IsBinary, string? Key, string? Problem)
{
    public const int Deepest = 64;
    private const int LongestKey = 128;

    public static JsonBody Parse(ReadOnlyMemory<byte> line, KeyPath? keyPath)
    {
        if (!Utf8.IsValid(line.Span))
        {
            return Wrong(InputProblems.NotUtf8);
        }

        var json = new Utf8JsonReader(line.Span, new JsonReaderOptions { MaxDepth = Deepest + 1 });
        try
        {
            return Read(ref json, line, keyPath);
        }
        catch (JsonException exception)
        {
            return Wrong($"not valid JSON: {Cause(exception, line.Length)}");
        }
    }

    private static JsonBody Read(ref Utf8JsonReader json, ReadOnlyMemory<byte> line, KeyPath? keyPath)
    {
        string? literal = null;
        string? nested = null;
        string? problem = null;
        byte[]? binary = null;
        var hasLiteral = false;

        // The number of names of the path that lead to the current object.
        var led = 0;
        while (json.Read())
        {
            if (IsTooDeep(ref json))
            {
                return Wrong($"not valid JSON: nested deeper than {Deepest}");
            }

            if (json.TokenType == JsonTokenType.EndObject && led > 0 && json.CurrentDepth == led)
            {
                led--;
            }

            if (json.TokenType != JsonTokenType.PropertyName)
            {
                continue;
            }

            var isOutermost = json.CurrentDepth == 1;
            var isLiteral = isOutermost && keyPath is not null && json.ValueTextEquals(keyPath.Text);
            var isBinary = isOutermost && json.ValueTextEquals("bodyBase64"u8);
            var isPrefix = keyPath is not null && json.CurrentDepth == led + 1 && keyPath.IsPrefix(ref json, led);
            if (!isLiteral && !isBinary && !isPrefix)
            {
                continue;
            }

            json.Read();
            if (IsTooDeep(ref json))
            {
                return Wrong($"not valid JSON: nested deeper than {Deepest}");
            }

            if (isBinary && (json.TokenType != JsonTokenType.String || !json.TryGetBytesFromBase64(out binary)))
            {
                problem ??= "'bodyBase64' is not Base64";
            }

            if (isLiteral)
            {
                hasLiteral = true;
                problem ??= ReadKey(ref json, keyPath!.Text, out literal);
            }
            else if (isPrefix && keyPath!.IsWhole(led + 1))
            {
                problem ??= ReadKey(ref json, keyPath.Text, out nested);
            }
            else if (isPrefix && json.TokenType == JsonTokenType.StartObject)
            {
                led++;
            }
        }

        return problem is null ? new JsonBody(binary ?? line, binary is not null, hasLiteral ? literal : nested, null) : Wrong(problem);
    }

    private static bool IsTooDeep(ref Utf8JsonReader json) =>
        json is { TokenType: JsonTokenType.StartObject or JsonTokenType.StartArray, CurrentDepth: >= Deepest };

    private static string? ReadKey(ref Utf8JsonReader json, string keyField, out string? key)
    {
        key = null;
        switch (json.TokenType)
        {
            case JsonTokenType.Null:
                return null;
            case JsonTokenType.Number:
                key = System.Text.Encoding.UTF8.GetString(json.ValueSpan);
                break;
            case JsonTokenType.String:
                try
                {
                    key = json.GetString();
                }
                catch (InvalidOperationException)
                {
                    // The text has an escape for half a character (a lone surrogate).
                    return $"'{keyField}' is not valid text";
                }

                break;
            default:
                return $"'{keyField}' is neither text nor a number";
        }

        return CheckKey(keyField, ref key);
    }

    public static string? CheckKey(string keyField, ref string? key)
    {
        if (key?.Length == 0)
        {
            key = null;
        }

        return key?.Length > LongestKey ? $"'{keyField}' has {key.Length} characters, limit {LongestKey}" : null;
    }

    private static string Cause(JsonException exception, int length) =>
        exception.BytePositionInLine >= length ? "unexpected end" : $"unexpected character at byte {exception.BytePositionInLine + 1}";

    private static JsonBody Wrong(string problem) => new(default, false, null, problem);
}
