using System.Text;

namespace EventHubThroughput.Verification.Facts;

/// <summary>
/// Parses the sinks that a dead letter names. The names are repeated here and not taken from the sinks: a shared mistake would be invisible.
/// </summary>
internal static class NamedSinks
{
    private const int LongestList = 4 * 1024;

    /// <summary>Parses the value of the metadata <c>sinks</c>: names separated by commas, each with percent encoding.</summary>
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
