using System.Collections;

namespace EventHubThroughput.Testing;

/// <summary>A list that one thread may read while others add to it. Each enumeration sees the elements of the moment at which it began.</summary>
public sealed class Recorded<T> : IReadOnlyList<T>
{
    private readonly Lock gate = new();
    private T[] elements = [];
    private int count;

    public int Count
    {
        get
        {
            lock (gate)
            {
                return count;
            }
        }
    }

    public T this[int index]
    {
        get
        {
            lock (gate)
            {
                ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, count);
                return elements[index];
            }
        }
    }

    public void Add(T element)
    {
        lock (gate)
        {
            if (count == elements.Length)
            {
                Array.Resize(ref elements, Math.Max(16, 2 * count));
            }

            elements[count++] = element;
        }
    }

    public void Clear()
    {
        lock (gate)
        {
            (elements, count) = ([], 0);
        }
    }

    public IEnumerator<T> GetEnumerator()
    {
        ArraySegment<T> moment;
        lock (gate)
        {
            moment = new ArraySegment<T>(elements, 0, count);
        }

        return moment.GetEnumerator();
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
