using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace EventHubThroughput.Verification.Sorting;

/// <summary>
/// Sorts more than memory can hold. The excess is sorted piece by piece into runs of a temporary file, which are merged when they are read. Items that fit
/// never reach the disk. Not safe for several threads.
/// </summary>
/// <param name="memory">Bytes that items and their order may take.</param>
/// <param name="folder">The folder of the temporary file, if one is needed.</param>
internal sealed class ExternalSort<T>(long memory, string folder) : IDisposable
    where T : unmanaged, ISortable
{
    private const int LargestBuffer = 256 * 1024;
    private const int SmallestBuffer = 4 * 1024;

    private readonly int capacity = ChunkedList<T>.Fitting(memory);
    private readonly ChunkedList<T> items = new();
    private readonly List<(long Start, long End)> runs = [];
    private RadixOrder order = new();
    private TemporaryFile? file;

    /// <summary>How many runs were written to the temporary file.</summary>
    public int Runs => runs.Count;

    /// <exception cref="IOException">The temporary folder is full or cannot be written.</exception>
    public void Add(in T item)
    {
        if (items.Count == capacity)
        {
            Spill();
        }

        items.Add(item);
    }

    /// <summary>All items in their order, once. Afterwards the sort is empty.</summary>
    /// <exception cref="IOException">The temporary folder is full or cannot be written.</exception>
    public IEnumerable<T> Drain()
    {
        if (runs.Count == 0)
        {
            return InMemory();
        }

        Spill();
        FreeMemory();
        return Merged();
    }

    public void Dispose()
    {
        FreeMemory();
        file?.Dispose();
        file = null;
    }

    private void FreeMemory()
    {
        items.Free();
        order = new RadixOrder();
    }

    private IEnumerable<T> InMemory()
    {
        foreach (var place in order.Of(items))
        {
            yield return items[place];
        }

        Dispose();
    }

    private IEnumerable<T> Merged()
    {
        var buffer = Math.Clamp(memory / 2 / runs.Count, SmallestBuffer, LargestBuffer) / Unsafe.SizeOf<T>();
        var queue = new PriorityQueue<SortedRun<T>, (UInt128 Order, int Run)>(runs.Count);
        for (var number = 0; number < runs.Count; number++)
        {
            var run = new SortedRun<T>(file!, runs[number].Start, runs[number].End, (int)buffer);
            run.Advance();
            queue.Enqueue(run, (run.Current.Order, number));
        }

        while (queue.TryPeek(out var first, out var rank))
        {
            // Most equal items are in one run, and no other run is next before it ends.
            bool continues;
            do
            {
                yield return first.Current;
                continues = first.Advance();
            } while (continues && first.Current.Order == rank.Order);

            if (continues)
            {
                queue.DequeueEnqueue(first, (first.Current.Order, rank.Run));
            }
            else
            {
                queue.Dequeue();
            }
        }

        Dispose();
    }

    private void Spill()
    {
        file ??= new TemporaryFile(folder);
        var start = file.Length;
        var buffer = new T[Math.Min(items.Count, LargestBuffer / Unsafe.SizeOf<T>())];
        var filled = 0;
        foreach (var place in order.Of(items))
        {
            buffer[filled++] = items[place];
            if (filled == buffer.Length)
            {
                file.Append(MemoryMarshal.AsBytes(buffer.AsSpan()));
                filled = 0;
            }
        }

        file.Append(MemoryMarshal.AsBytes(buffer.AsSpan(0, filled)));
        runs.Add((start, file.Length));
        items.Clear();
    }
}

/// <summary>An item of fixed size with a sort key. Equal ones keep the order in which they were added.</summary>
internal interface ISortable
{
    UInt128 Order { get; }
}
