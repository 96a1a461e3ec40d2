using System.Collections;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>A map: distinct keys of any types to values of any types, in the order in which they were added (AMQP 1.0 part 1, 1.6.23).</summary>
public sealed class AmqpMap : IEnumerable<KeyValuePair<object, object?>>
{
    // Nearly all maps of the protocol are small enough to be searched. An index would cost more than it saves.
    private const int IndexedFrom = 16;

    private readonly List<KeyValuePair<object, object?>> _entries;
    private Dictionary<object, int>? _index;

    /// <summary>Creates an empty map.</summary>
    public AmqpMap() => _entries = [];

    internal AmqpMap(int capacity) => _entries = new List<KeyValuePair<object, object?>>(capacity);

    /// <summary>The number of entries.</summary>
    public int Count => _entries.Count;

    /// <summary>The value of a key: null when absent. Setting replaces the value or adds an entry at the end.</summary>
    /// <param name="key">The key. A string and a symbol of the same text are two keys.</param>
    public object? this[object key]
    {
        get => TryGetValue(key, out var value) ? value : null;
        set
        {
            var at = IndexOf(key);
            if (at < 0)
            {
                Append(key, value);
            }
            else
            {
                _entries[at] = new(_entries[at].Key, value);
            }
        }
    }

    /// <summary>Searches a key.</summary>
    /// <returns>False when the key is absent.</returns>
    public bool TryGetValue(object key, out object? value)
    {
        var at = IndexOf(key);
        value = at < 0 ? null : _entries[at].Value;
        return at >= 0;
    }

    /// <summary>Whether a key is present.</summary>
    public bool ContainsKey(object key) => IndexOf(key) >= 0;

    /// <summary>Adds an entry at the end.</summary>
    /// <exception cref="ArgumentException">The key is present.</exception>
    public void Add(object key, object? value)
    {
        if (!TryAdd(key, value))
        {
            throw new ArgumentException("The map already has this key.", nameof(key));
        }
    }

    /// <summary>Removes an entry.</summary>
    /// <returns>False when the key was absent.</returns>
    public bool Remove(object key)
    {
        var at = IndexOf(key);
        if (at < 0)
        {
            return false;
        }

        _entries.RemoveAt(at);
        _index = null;
        return true;
    }

    /// <summary>The value whose key is this text, as a string or as a symbol. Null when absent.</summary>
    public object? Find(string key) => TryGetValue(key, out var value) ? value : this[new AmqpSymbol(key)];

    /// <summary>As <see cref="Find"/>, for a string or symbol. Null when it is something else.</summary>
    public string? FindString(string key) => AsString(Find(key));

    /// <summary>As <see cref="Find"/>, for an integer of any width and sign. Null when it is something else or does not fit.</summary>
    public long? FindInteger(string key) => AsInteger(Find(key));

    /// <summary>Enumerates the entries in order.</summary>
    public List<KeyValuePair<object, object?>>.Enumerator GetEnumerator() => _entries.GetEnumerator();

    IEnumerator<KeyValuePair<object, object?>> IEnumerable<KeyValuePair<object, object?>>.GetEnumerator() => _entries.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _entries.GetEnumerator();

    internal static string? AsString(object? found) =>
        found switch
        {
            string text => text,
            AmqpSymbol symbol => symbol.Value,
            _ => null,
        };

    internal static long? AsInteger(object? found) =>
        found switch
        {
            int value => value,
            long value => value,
            uint value => value,
            ulong value when value <= long.MaxValue => (long)value,
            short value => value,
            ushort value => value,
            sbyte value => value,
            byte value => value,
            _ => null,
        };

    internal bool TryAdd(object key, object? value)
    {
        if (IndexOf(key) >= 0)
        {
            return false;
        }

        Append(key, value);
        return true;
    }

    private void Append(object key, object? value)
    {
        _index?.Add(key, _entries.Count);
        _entries.Add(new(key, value));
    }

    private int IndexOf(object key)
    {
        if (_entries.Count >= IndexedFrom)
        {
            return Index().TryGetValue(key, out var at) ? at : -1;
        }

        for (var i = 0; i < _entries.Count; i++)
        {
            if (AmqpKeyComparer.Instance.Equals(_entries[i].Key, key))
            {
                return i;
            }
        }

        return -1;
    }

    private Dictionary<object, int> Index()
    {
        if (_index is null)
        {
            _index = new Dictionary<object, int>(_entries.Count * 2, AmqpKeyComparer.Instance);
            for (var i = 0; i < _entries.Count; i++)
            {
                _index.Add(_entries[i].Key, i);
            }
        }

        return _index;
    }
}
