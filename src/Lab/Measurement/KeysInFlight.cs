using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The distinct keys among the events in flight of one ownership, counted over time. A strategy that keeps the order of keys has at most one event in flight
/// for each of them. One caller at a time, as the moments of an ownership are reported. No call allocates in the steady state.
/// </summary>
internal sealed class KeysInFlight
{
    // How many events of each key are in flight, never none.
    private readonly Dictionary<string, int> events = new(StringComparer.Ordinal);
    private long since;

    /// <summary>An event of the key has begun.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="now">Now, by the clock's raw timestamp.</param>
    /// <param name="section">The section that counts the time until now.</param>
    public void Begun(string key, long now, MeasuredSection section)
    {
        Count(now, section);
        CollectionsMarshal.GetValueRefOrAddDefault(events, key, out _)++;
    }

    /// <summary>An event of the key is complete.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="now">Now, by the clock's raw timestamp.</param>
    /// <param name="section">The section that counts the time until now.</param>
    public void Completed(string key, long now, MeasuredSection section)
    {
        Count(now, section);
        ref var left = ref CollectionsMarshal.GetValueRefOrNullRef(events, key);
        if (!Unsafe.IsNullRef(ref left) && --left == 0)
        {
            events.Remove(key);
        }
    }

    private void Count(long now, MeasuredSection section)
    {
        section.KeysHeld(events.Count, since, now);
        since = now;
    }
}
