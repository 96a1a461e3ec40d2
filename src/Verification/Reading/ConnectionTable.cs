using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The connections that brought messages, and when each brought its first. They tell the writes of two processes apart; journals older than
/// version 9 do not name them.
/// </summary>
internal sealed class ConnectionTable
{
    private readonly Dictionary<ulong, ushort> numbers = [];

    // By number; 0 is none.
    private readonly List<long> firstSeen = [0];
    private ulong starts;

    /// <summary>A message came over a connection; gives the connection's number, 0 when the journal does not name it or names more than fit.</summary>
    public ushort Seen(ReadOnlySpan<byte> name, long tick)
    {
        if (name.IsEmpty)
        {
            return 0;
        }

        var key = TextHash.Combine(starts, TextHash.Of(name));
        if (!numbers.TryGetValue(key, out var number) && firstSeen.Count <= ushort.MaxValue)
        {
            numbers[key] = number = (ushort)firstSeen.Count;
            firstSeen.Add(tick);
        }

        return number;
    }

    /// <summary>An emulator started: connections are gone, and their names may come again.</summary>
    public void Forget() => starts++;

    /// <summary>Whether the connection had brought a message before the tick.</summary>
    public bool IsOlderThan(ushort number, long tick) => number != 0 && firstSeen[number] < tick;
}
