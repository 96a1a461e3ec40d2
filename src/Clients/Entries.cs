using System.Collections.ObjectModel;

namespace EventHubThroughput.Clients;

/// <summary>
/// The entries of a dictionary, one after another. Empty without a dictionary. The usual kinds of dictionary need no enumerator on the heap.
/// </summary>
internal readonly struct Entries<TKey, TValue>(IReadOnlyDictionary<TKey, TValue>? map)
    where TKey : notnull
{
    public Enumerator GetEnumerator() => new(map);

    internal struct Enumerator : IDisposable
    {
        private readonly IEnumerator<KeyValuePair<TKey, TValue>>? other;
        private Dictionary<TKey, TValue>.Enumerator usual;

        public Enumerator(IReadOnlyDictionary<TKey, TValue>? map)
        {
            if (map is Dictionary<TKey, TValue> dictionary)
            {
                usual = dictionary.GetEnumerator();
            }
            else
            {
                other = (map ?? ReadOnlyDictionary<TKey, TValue>.Empty).GetEnumerator();
            }
        }

        public readonly KeyValuePair<TKey, TValue> Current => other is null ? usual.Current : other.Current;

        public bool MoveNext() => other is null ? usual.MoveNext() : other.MoveNext();

        public readonly void Dispose() => other?.Dispose();
    }
}
