using System.Text.Json;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Arrays of objects in answers.</summary>
internal static class JsonRows
{
    public static void Write<T>(Utf8JsonWriter json, string name, IEnumerable<T> rows, Action<Utf8JsonWriter, T> write)
    {
        json.WriteStartArray(name);
        foreach (var row in rows)
        {
            json.WriteStartObject();
            write(json, row);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
