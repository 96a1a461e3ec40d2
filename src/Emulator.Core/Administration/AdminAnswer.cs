using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The answer to a request: a status with JSON, text or no body.</summary>
internal sealed record AdminAnswer(int Status, ReadOnlyMemory<byte> Body, string? ContentType)
{
    private static readonly JsonWriterOptions Indented = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The methods that are allowed, for status 405.</summary>
    public string? Allow { get; init; }

    public static AdminAnswer Empty(int status) => new(status, default, null);

    public static AdminAnswer Text(string text) => new(200, Encoding.UTF8.GetBytes(text), "text/plain; charset=utf-8");

    /// <summary>Creates an object whose members <paramref name="write"/> writes.</summary>
    public static AdminAnswer Json(int status, Action<Utf8JsonWriter> write)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, Indented))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        buffer.WriteByte((byte)'\n');
        return new AdminAnswer(status, buffer.ToArray(), "application/json; charset=utf-8");
    }

    /// <summary><c>{ "error": ..., "problems": [...] }</c></summary>
    public static AdminAnswer Fail(int status, string error, params IReadOnlyList<string> problems) =>
        Json(
            status,
            json =>
            {
                json.WriteString("error", error);
                json.WriteStartArray("problems");
                foreach (var problem in problems)
                {
                    json.WriteStringValue(problem);
                }

                json.WriteEndArray();
            }
        );
}
