using System.Text;

namespace EventHubThroughput.Verification.Facts;

/// <summary>Reads the sinks that a dead letter names. The names are written here again, not taken from the sinks: a mistake shared by both would be invisible.</summary>
internal static class NamedSinks
{
    private const int LongestList = 4 * 1024;

    /// <summary>The value of the metadata <c>sinks</c>: names parted by commas, each with percent encoding.</summary>
    public static SinkSet Of(ReadOnlySpan<byte> list)
    {
        var named = SinkSet.None;
        if (list.Length > LongestList)
        {
            return named;
        }

        foreach (var name in Encoding.UTF8.GetString(list).Split(','))
        {
            named |= Uri.UnescapeDataString(name) switch
            {
                "servicebus" => SinkSet.Queue,
                "blob" => SinkSet.Archive,
                _ => SinkSet.None,
            };
        }

        return named;
    }
}
