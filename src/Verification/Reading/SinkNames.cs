using System.Buffers.Text;
using System.Text;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>The possible subjects of a sink's record.</summary>
internal enum Subject
{
    /// <summary>A partition of the hub, and a sequence number that an event may have.</summary>
    Event,

    /// <summary>An event of another hub of the journal, which is ignored.</summary>
    Others,

    /// <summary>No event that had been appended by then.</summary>
    Nothing,
}

/// <summary>Parses the names of a sink. The prefix before the number repeats from record to record and is parsed once.</summary>
internal sealed class SinkNames(string hub)
{
    private const int BlobDigits = 20;

    private readonly Dictionary<byte[], PartitionTrack> messagePrefixes = new(Utf8Comparer.Instance);
    private readonly Dictionary<byte[], PartitionTrack> blobPrefixes = new(Utf8Comparer.Instance);
    private readonly HashSet<string> otherHubs = new(StringComparer.OrdinalIgnoreCase);

    public PartitionTable Partitions { get; } = new();

    public void AddOtherHub(ReadOnlySpan<byte> name) => otherHubs.Add(Encoding.UTF8.GetString(name));

    public Subject OfMessage(ReadOnlySpan<byte> messageId, out PartitionTrack? partition, out long sequence)
    {
        var end = messageId.LastIndexOf((byte)'-');
        if (TryKnown(messagePrefixes, messageId, end, out partition, out sequence) && (messageId[end + 1] != (byte)'0' || messageId.Length == end + 2))
        {
            return Subject.Event;
        }

        return Read(DerivedName.FromMessageId(Encoding.UTF8.GetString(messageId)), messagePrefixes, messageId, end, out partition, out sequence);
    }

    public Subject OfBlob(ReadOnlySpan<byte> name, out PartitionTrack? partition, out long sequence)
    {
        var end = name.LastIndexOf((byte)'/');
        if (TryKnown(blobPrefixes, name, end, out partition, out sequence) && name.Length - end - 1 == BlobDigits)
        {
            return Subject.Event;
        }

        return Read(DerivedName.FromBlob(Encoding.UTF8.GetString(name)), blobPrefixes, name, end, out partition, out sequence);
    }

    private static bool TryKnown(
        Dictionary<byte[], PartitionTrack> prefixes,
        ReadOnlySpan<byte> name,
        int end,
        out PartitionTrack? partition,
        out long sequence
    )
    {
        partition = null;
        sequence = 0;
        return end > 0
            && end < name.Length - 1
            && prefixes.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(name[..end], out partition)
            && char.IsAsciiDigit((char)name[end + 1])
            && Utf8Parser.TryParse(name[(end + 1)..], out sequence, out var length)
            && length == name.Length - end - 1;
    }

    private Subject Read(
        DerivedName? name,
        Dictionary<byte[], PartitionTrack> prefixes,
        ReadOnlySpan<byte> text,
        int end,
        out PartitionTrack? partition,
        out long sequence
    )
    {
        partition = null;
        sequence = name?.Sequence ?? 0;
        if (name is not { } derived)
        {
            return Subject.Nothing;
        }

        if (derived.Hub != hub)
        {
            return otherHubs.Contains(derived.Hub) ? Subject.Others : Subject.Nothing;
        }

        partition = Partitions.Find(Encoding.UTF8.GetBytes(derived.Partition));
        if (partition is null)
        {
            return Subject.Nothing;
        }

        // Only existing partitions are cached: the number of meaningless names is unlimited.
        prefixes.TryAdd(text[..end].ToArray(), partition);
        return Subject.Event;
    }
}
