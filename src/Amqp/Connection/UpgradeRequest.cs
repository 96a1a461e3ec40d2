using System.Buffers;
using System.Text;

namespace EventHubThroughput.Amqp;

/// <summary>An HTTP/1.1 request without a body, with the parts that an upgrade needs (RFC 9112).</summary>
/// <param name="Path">The target without the query, unescaped.</param>
/// <param name="Fields">The values by the name of their field. Several lines of one field are joined by commas.</param>
internal sealed record UpgradeRequest(string Path, IReadOnlyDictionary<string, string> Fields)
{
    private static ReadOnlySpan<byte> End => "\r\n\r\n"u8;

    /// <summary>Where the head of a request ends in the received bytes. Null as long as it is incomplete.</summary>
    public static SequencePosition? GetEnd(ReadOnlySequence<byte> bytes)
    {
        SequenceReader<byte> reader = new(bytes);
        return reader.TryReadTo(out ReadOnlySequence<byte> _, End) ? reader.Position : null;
    }

    /// <summary>Reads a complete request. Null when it is malformed.</summary>
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

    /// <summary>The value of a field. Null if it is absent.</summary>
    public string? Find(string name) => Fields.GetValueOrDefault(name);

    /// <summary>The items of a field that is a list, in their order.</summary>
    public IReadOnlyList<string> GetItems(string name) => Find(name)?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];
}
