using System.Text;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Reading;

/// <summary>The hub's partitions with appended events, numbered in the order of their first ones.</summary>
internal sealed class PartitionTable
{
    // A fact has two bytes for the partition's number. An event hub has at most 1,024 partitions.
    private const int Most = ushort.MaxValue;

    private readonly Dictionary<byte[], PartitionTrack> byName = new(Utf8Comparer.Instance);
    private readonly List<PartitionTrack> all = [];

    public IReadOnlyList<PartitionTrack> All => all;

    public PartitionTrack this[int number] => all[number];

    public PartitionTrack? Find(ReadOnlySpan<byte> name) => byName.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(name, out var track) ? track : null;

    /// <exception cref="JournalFormatException">The journal names more partitions than an event hub can have.</exception>
    public PartitionTrack FindOrAdd(ReadOnlySpan<byte> name)
    {
        if (Find(name) is { } known)
        {
            return known;
        }

        if (all.Count == Most)
        {
            throw new JournalFormatException($"journal: more than {Most} partitions");
        }

        var track = new PartitionTrack(Encoding.UTF8.GetString(name), all.Count);
        byName.Add(name.ToArray(), track);
        all.Add(track);
        return track;
    }
}
