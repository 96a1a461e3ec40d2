using System.Text;

namespace EventHubThroughput.Verification.Reading;

/// <summary>The hub's partitions that events were appended to, numbered in the order of their first ones.</summary>
internal sealed class PartitionTable
{
    private readonly Dictionary<byte[], PartitionTrack> byName = new(Utf8Comparer.Instance);
    private readonly List<PartitionTrack> all = [];

    public IReadOnlyList<PartitionTrack> All => all;

    public PartitionTrack this[int number] => all[number];

    public PartitionTrack? Find(ReadOnlySpan<byte> name) => byName.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(name, out var track) ? track : null;

    public PartitionTrack FindOrAdd(ReadOnlySpan<byte> name)
    {
        if (Find(name) is { } known)
        {
            return known;
        }

        var track = new PartitionTrack(Encoding.UTF8.GetString(name), all.Count);
        byName.Add(name.ToArray(), track);
        all.Add(track);
        return track;
    }
}
