using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The connections that brought messages, and when each brought its first. They tell the writes of two processes apart; journals older than
/// version 9 do not name them.
/// </summary>
internal sealed class ConnectionTable
{
    private readonly Dictionary<long, long> firstSeen = [];
    private ulong starts;

    /// <summary>A message came over a connection; gives the connection's number, 0 when the journal does not name it.</summary>
    public long Seen(ReadOnlySpan<byte> name, long tick)
    {
        if (name.IsEmpty)
        {
            return 0;
        }

        var number = (long)TextHash.Combine(starts, TextHash.Of(name));
        firstSeen.TryAdd(number, tick);
        return number;
    }

    /// <summary>An emulator started: connections are gone, and their names may come again.</summary>
    public void Forget() => starts++;

    /// <summary>Whether the connection had brought a message before the tick.</summary>
    public bool IsOlderThan(long number, long tick) => firstSeen.TryGetValue(number, out var first) && first < tick;
}
