using System.Buffers;
using System.Text;

namespace EventHubThroughput.Amqp;

/// <summary>A request of HTTP/1.1 without a body, as far as an upgrade asks for it (RFC 9112).</summary>
/// <param name="Path">The target without what follows a question mark, its escapes undone.</param>
/// <param name="Fields">The values by the name of their field, those of several lines joined by commas.</param>
internal sealed record UpgradeRequest(string Path, IReadOnlyDictionary<string, string> Fields)
{
    private static ReadOnlySpan<byte> End => "\r\n\r\n"u8;

    /// <summary>Where a request ends in what has come. Null as long as it does not.</summary>
    public static SequencePosition? EndOf(ReadOnlySequence<byte> bytes)
    {
        SequenceReader<byte> reader = new(bytes);
        return reader.TryReadTo(out ReadOnlySequence<byte> _, End) ? reader.Position : null;
    }

    /// <summary>Reads a whole request. Null when it is none.</summary>
    public static UpgradeRequest? Parse(ReadOnlySequence<byte> bytes)
    {
        var lines = Encoding.Latin1.GetString(bytes).Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        if (lines.Length == 0 || lines[0].Split(' ') is not ["GET", ['/', ..] target, "HTTP/1.1"])
        {
            return null;
        }

        Dictionary<string, string> fields = new(StringComparer.OrdinalIgnoreCase);
        foreach (var line in lines.AsSpan(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0 || line.AsSpan(0, colon).ContainsAny(' ', '\t'))
            {
                return null;
            }

            var (name, value) = (line[..colon], line[(colon + 1)..].Trim());
            fields[name] = fields.TryGetValue(name, out var earlier) ? $"{earlier},{value}" : value;
        }

        var query = target.IndexOf('?', StringComparison.Ordinal);
        return new UpgradeRequest(Uri.UnescapeDataString(query < 0 ? target : target[..query]), fields);
    }

    /// <summary>The value of a field. Null without it.</summary>
    public string? Find(string name) => Fields.GetValueOrDefault(name);

    /// <summary>The items of a field that is a list, in their order.</summary>
    public IReadOnlyList<string> ItemsOf(string name) => Find(name)?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];
}
