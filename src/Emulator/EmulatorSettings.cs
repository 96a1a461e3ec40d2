using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace EventHubThroughput.Emulator;

/// <summary>What a client needs to know, under the names of the environment variables that clients read.</summary>
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

    /// <summary>Lines for a shell to read: every value in single quotes, which only a single quote itself can leave.</summary>
    public static string ToExports(IReadOnlyDictionary<string, string> settings) =>
        string.Join('\n', settings.Select(static setting => $"export {setting.Key}='{setting.Value.Replace("'", "'\\''", StringComparison.Ordinal)}'"));
}
