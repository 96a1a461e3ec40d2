using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Facts;

/// <summary>The moments of one event that order is judged by, as a member of one group: its partition, or its key. 0 is never.</summary>
/// <param name="Group">The partition's number, or the hash of partition and key with the highest bit set.</param>
/// <param name="Partition">The partition's number.</param>
/// <param name="Sequence">The sequence number.</param>
/// <param name="MessageBegun">Its first message began to arrive.</param>
/// <param name="MessageStored">Its first message was stored.</param>
/// <param name="Begun">Its first write at any sink began.</param>
/// <param name="Completed">It was complete.</param>
internal readonly record struct OrderFact(ulong Group, int Partition, long Sequence, long MessageBegun, long MessageStored, long Begun, long Completed)
    : ISortable
{
    private const ulong KeyBit = 1UL << 63;

    public bool ByKey => (Group & KeyBit) != 0;

    /// <summary>By group, and the later events first: each is compared with those after it.</summary>
    public UInt128 Order => new(Group, ~((ulong)Sequence ^ (1UL << 63)));

    public static ulong GroupOf(int partition, ulong key) => TextHash.Combine((ulong)partition, key) | KeyBit;
}
