using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Facts;

/// <summary>The moments of one event by which order is checked, as a member of one group. 0 is never.</summary>
/// <param name="Group">Its partition, its key, or the writes of one incarnation to one of these.</param>
/// <param name="Partition">The partition's number.</param>
/// <param name="Sequence">The sequence number.</param>
/// <param name="MessageBegun">When its first message began to arrive.</param>
/// <param name="MessageStored">When its first message was stored.</param>
/// <param name="Begun">
/// When its first write at any sink began. In the group of an incarnation, when the last of its repeated messages began to arrive.
/// </param>
/// <param name="Completed">When it was complete. In the group of an incarnation, when the last of its messages was stored.</param>
internal readonly record struct OrderFact(OrderGroup Group, int Partition, long Sequence, long MessageBegun, long MessageStored, long Begun, long Completed)
    : ISortable
{
    /// <summary>By group, with later events first: each is compared with those after it.</summary>
    public UInt128 Order => new(Group.Number, ~((ulong)Sequence ^ (1UL << 63)));
}

/// <summary>Events that are compared with each other.</summary>
/// <param name="Number">The partition's number, or a hash. The two highest bits are the kind.</param>
internal readonly record struct OrderGroup(ulong Number)
{
    private const ulong KeyBit = 1UL << 63;
    private const ulong IncarnationBit = 1UL << 62;

    public bool ByKey => (Number & KeyBit) != 0;

    /// <summary>Whether it has the writes of one incarnation, repeats included, instead of the first writes of all.</summary>
    public bool IsOfIncarnation => (Number & IncarnationBit) != 0;

    public static OrderGroup OfPartition(int partition) => new((ulong)partition);

    public static OrderGroup OfKey(int partition, ulong key) => new((TextHash.Combine((ulong)partition, key) & ~IncarnationBit) | KeyBit);

    /// <summary>The group of one incarnation's writes to this group.</summary>
    /// <param name="incarnation">Its number in the partition.</param>
    /// <param name="connection">The connection. 0 when it is not recorded.</param>
    public OrderGroup Of(int incarnation, ushort connection) =>
        new((TextHash.Combine(Number, TextHash.Combine((ulong)incarnation, connection)) & ~(KeyBit | IncarnationBit)) | IncarnationBit | (Number & KeyBit));
}
