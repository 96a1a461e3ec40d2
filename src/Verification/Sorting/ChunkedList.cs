using System.Runtime.CompilerServices;

namespace EventHubThroughput.Verification.Sorting;

/// <summary>A list that, once it is large, grows without copying its items, and keeps its memory when emptied.</summary>
internal sealed class ChunkedList<T>
    where T : unmanaged
{
    private const int Shift = 14;
    private const int ChunkLength = 1 << Shift;
    private const int FirstLength = 64;

    private readonly List<T[]> chunks = [];

    public int Count { get; private set; }

    public ref T this[int index] => ref chunks[index >> Shift][index & (ChunkLength - 1)];

    public void Add(in T item)
    {
        var (chunk, place) = (Count >> Shift, Count & (ChunkLength - 1));
        if (chunk == chunks.Count)
        {
            chunks.Add(new T[chunk == 0 ? FirstLength : ChunkLength]);
        }
        else if (place == chunks[chunk].Length)
        {
            var grown = chunks[chunk];
            Array.Resize(ref grown, place * 2);
            chunks[chunk] = grown;
        }

        chunks[chunk][place] = item;
        Count++;
    }

    public void Clear() => Count = 0;

    public void Free()
    {
        chunks.Clear();
        Count = 0;
    }

    /// <summary>How many items fit in this memory, with the two indices that sorting needs for each.</summary>
    public static int Fitting(long bytes) => (int)Math.Clamp(bytes / (Unsafe.SizeOf<T>() + (2 * sizeof(int))), 1, Array.MaxLength);
}
