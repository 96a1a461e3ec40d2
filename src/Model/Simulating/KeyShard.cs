using System.Globalization;

namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// The shard of a key. The hash determines how many keys share one, and so the rate. It must be that of the strategy <c>keyed-shards</c>, which a test
/// checks: FNV-1a over the characters with its upper bits mixed in.
/// </summary>
internal static class KeyShard
{
    private const uint OffsetBasis = 2_166_136_261;
    private const uint Prime = 16_777_619;
    private const uint Mixer = 0x7feb_352d;

    /// <summary>The sender's name for the key of a rank.</summary>
    public static string GetName(int rank) => string.Create(CultureInfo.InvariantCulture, $"key-{rank}");

    /// <summary>The shard of a key, from 0.</summary>
    public static int Of(string key, int shards)
    {
        unchecked
        {
            var hash = key.Aggregate(OffsetBasis, static (sum, letter) => (sum ^ letter) * Prime);
            var mixed = (hash ^ (hash >> 16)) * Mixer;
            return (int)((mixed ^ (mixed >> 15)) % (uint)shards);
        }
    }
}
