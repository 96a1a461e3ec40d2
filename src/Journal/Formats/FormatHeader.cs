using System.Text;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>The first line of a journal, a ledger or a record of acknowledgements.</summary>
internal static class FormatHeader
{
    /// <exception cref="JournalFormatException">It is another format, or a newer version of this one.</exception>
    /// <returns>The version, which this program can read.</returns>
    public static int Check(ReadOnlySpan<byte> line, string format, string path)
    {
        var (name, version) = Read(line);
        if (name != format)
        {
            throw new JournalFormatException($"{path}: not a {Word(format)} of this program");
        }

        var newest = JournalFormat.GetVersion(format);
        return version <= newest
            ? (int)version
            : throw new JournalFormatException($"{path}: {Word(format)} version {version} is newer than this program ({newest})");
    }

    /// <summary>The first line of a new file.</summary>
    public static byte[] Of(string format) => Encoding.UTF8.GetBytes($"{{\"format\":\"{format}\",\"version\":{JournalFormat.GetVersion(format)}}}\n");

    /// <summary>The format that a line names, or null when it is not a header.</summary>
    public static string? GetName(ReadOnlySpan<byte> line) => Read(line).Name;

    public static JournalFormatException Missing(string format, string path) => new($"{path}: not a {Word(format)} of this program");

    private static string Word(string format) =>
        format switch
        {
            JournalFormat.Name => "journal",
            JournalFormat.LedgerName => "ledger",
            _ => "record of acknowledgements",
        };

    private static (string? Name, long Version) Read(ReadOnlySpan<byte> line)
    {
        string? name = null;
        long version = 0;
        try
        {
            var json = new Utf8JsonReader(line);
            json.Read();
            while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
            {
                var isName = json.ValueTextEquals("format"u8);
                json.Read();
                if (isName)
                {
                    name = json.GetString();
                }
                else
                {
                    version = json.GetInt64();
                }
            }
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or FormatException)
        {
            return (null, 0);
        }

        return version > 0 ? (name, version) : (null, 0);
    }
}
