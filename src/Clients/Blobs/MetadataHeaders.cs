using System.Collections.Concurrent;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>The headers that carry metadata, by the names of the metadata. A program uses few names, for many blobs: those are kept.</summary>
internal static class MetadataHeaders
{
    public const string Prefix = "x-ms-meta-";

    private const int Kept = 256;

    private static readonly ConcurrentDictionary<string, string> Known = new(StringComparer.Ordinal);
    private static int s_count;

    public static string Of(string name)
    {
        if (Known.TryGetValue(name, out var header))
        {
            return header;
        }

        header = Prefix + name;
        if (Interlocked.Increment(ref s_count) <= Kept)
        {
            Known[name] = header;
        }

        return header;
    }
}
