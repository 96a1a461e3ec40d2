namespace EventHubThroughput.Verification.Sorting;

/// <summary>
/// Finds the order of items by their keys, byte by byte from the last one on. Bytes in which all keys agree cost nothing. Of the sixteen most are such,
/// because a run of a journal has few partitions and close sequence numbers.
/// </summary>
internal sealed class RadixOrder
{
    private const int Bytes = 16;
    private const int Values = 256;

    private int[] order = [];
    private int[] next = [];

    /// <summary>The positions of the items in ascending order. Equal ones keep their order. Valid until the next call.</summary>
    public ArraySegment<int> Of<T>(ChunkedList<T> items)
        where T : unmanaged, ISortable
    {
        if (order.Length < items.Count)
        {
            order = new int[items.Count];
            next = new int[items.Count];
        }

        for (var i = 0; i < items.Count; i++)
        {
            order[i] = i;
        }

        var counts = Count(items);

        for (var place = 0; place < Bytes; place++)
        {
            var count = counts.AsSpan(place * Values, Values);
            if (!count.Contains(items.Count))
            {
                Distribute(items, order.AsSpan(0, items.Count), next, count, place * 8);
                (order, next) = (next, order);
            }
        }

        return new ArraySegment<int>(order, 0, items.Count);
    }

    private static int[] Count<T>(ChunkedList<T> items)
        where T : unmanaged, ISortable
    {
        var counts = new int[Bytes * Values];
        for (var i = 0; i < items.Count; i++)
        {
            var key = items[i].Order;
            for (var place = 0; place < Bytes; place++)
            {
                counts[(place * Values) + (byte)key]++;
                key >>= 8;
            }
        }

        return counts;
    }

    private static void Distribute<T>(ChunkedList<T> items, ReadOnlySpan<int> from, Span<int> to, Span<int> counts, int shift)
        where T : unmanaged, ISortable
    {
        var start = 0;
        foreach (ref var count in counts)
        {
            (count, start) = (start, start + count);
        }

        foreach (var item in from)
        {
            to[counts[(byte)(items[item].Order >> shift)]++] = item;
        }
    }
}
