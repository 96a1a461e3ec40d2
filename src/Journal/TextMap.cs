using System.Text;

namespace EventHubThroughput.Journal;

/// <summary>A record's map of texts, read in place.</summary>
public readonly ref struct TextMap
{
    private readonly ReadOnlySpan<byte> json;

    internal TextMap(ReadOnlySpan<byte> json) => this.json = json;

    /// <summary>Finds the value of a name.</summary>
    /// <param name="name">The name in ASCII.</param>
    /// <param name="ignoreCase">Whether case is ignored.</param>
    /// <param name="value">The value in UTF-8.</param>
    public bool TryFind(ReadOnlySpan<byte> name, bool ignoreCase, out ReadOnlySpan<byte> value)
    {
        value = default;
        if (json.IsEmpty)
        {
            return false;
        }

        var scanner = new JsonScanner(json);
        scanner.Expect((byte)'{');
        for (var isFirst = true; scanner.More(ref isFirst); )
        {
            var found = scanner.Text();
            scanner.Expect((byte)':');
            var text = scanner.Text();
            if (ignoreCase ? Ascii.EqualsIgnoreCase(found, name) : found.SequenceEqual(name))
            {
                value = text;
                return true;
            }
        }

        return false;
    }

    internal Dictionary<string, string> ToDictionary()
    {
        var map = new Dictionary<string, string>(StringComparer.Ordinal);
        var scanner = new JsonScanner(json);
        scanner.Expect((byte)'{');
        for (var isFirst = true; scanner.More(ref isFirst); )
        {
            var name = Encoding.UTF8.GetString(scanner.Text());
            scanner.Expect((byte)':');
            map[name] = Encoding.UTF8.GetString(scanner.Text());
        }

        return map;
    }
}
