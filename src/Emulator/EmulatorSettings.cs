using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace EventHubThroughput.Emulator;

/// <summary>The settings that a client needs, named like the environment variables that clients read.</summary>
internal static class EmulatorSettings
{
    public static string ToJson(IReadOnlyDictionary<string, string> settings)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            json.WriteStartObject();
            foreach (var (name, value) in settings)
            {
                json.WriteString(name, value);
            }

            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.ToArray());
    }

    /// <summary>
    /// Lines for a shell. Every value is in single quotes, which only a single quote can end, and all lines are in one pair of braces. A shell that reads only
    /// a part finds the braces open and sets nothing.
    /// </summary>
    public static string ToExports(IReadOnlyDictionary<string, string> settings) =>
        string.Join(
            '\n',
            ["{", .. settings.Select(static setting => $"export {setting.Key}='{setting.Value.Replace("'", "'\\''", StringComparison.Ordinal)}'"), "}"]
        );

    /// <summary>
    /// Assignments for PowerShell, such as <c>$env:NAME = 'value'</c>. Between single quotes every character is literal, except a single quote, which must be
    /// doubled. PowerShell also treats the curly quotes U+2018 to U+201B as single quotes (about_Quoting_Rules, and IsSingleQuote of its tokenizer). It reads a
    /// whole script block before it runs any of it, so a part of it sets nothing.
    /// </summary>
    public static string ToPowerShell(IReadOnlyDictionary<string, string> settings) =>
        string.Join('\n', ["& {", .. settings.Select(static setting => $"$env:{setting.Key} = '{DoubleQuotes(setting.Value)}'"), "}"]);

    private static string DoubleQuotes(string text) => string.Concat(text.Select(static letter => IsSingleQuote(letter) ? $"{letter}{letter}" : $"{letter}"));

    private static bool IsSingleQuote(char letter) => letter is '\'' or (>= '\u2018' and <= '\u201B');
}
