using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The connections that brought messages, when each brought its first, and when each was cut. They tell the writes of two processes apart, and which
/// answers may not have been read; journals older than version 9 do not name them.
/// </summary>
internal sealed class ConnectionTable
{
    private readonly Dictionary<ulong, ushort> numbers = [];

    // By number; 0 is none.
    private readonly List<long> firstSeen = [0];
    private readonly List<(long Tick, long Microseconds)?> cuts = [null];
    private ulong starts;

    /// <summary>A message came over a connection; gives the connection's number, 0 when the journal does not name it or names more than fit.</summary>
    public ushort Seen(ReadOnlySpan<byte> name, long tick)
    {
        if (name.IsEmpty)
        {
            return 0;
        }

        if (!numbers.TryGetValue(KeyOf(name), out var number) && firstSeen.Count <= ushort.MaxValue)
        {
            numbers[KeyOf(name)] = number = (ushort)firstSeen.Count;
            firstSeen.Add(tick);
            cuts.Add(null);
        }

        return number;
    }

    /// <summary>A connection ended without a close.</summary>
    public void Cut(ReadOnlySpan<byte> name, long tick, long microseconds)
    {
        if (numbers.TryGetValue(KeyOf(name), out var number))
        {
            cuts[number] = (tick, microseconds);
        }
    }

    /// <summary>An emulator started: all connections were cut when the one before ended, and their names may come again.</summary>
    public void Restart(long tick, long microseconds)
    {
        starts++;
        for (var number = 1; number < cuts.Count; number++)
        {
            cuts[number] ??= (tick, microseconds);
        }
    }

    /// <summary>When a connection was cut; null for never, or when it is not told. Complete when the whole journal was read.</summary>
    public (long Tick, long Microseconds)? CutOf(ushort number) => cuts[number];

    /// <summary>Whether the connection had brought a message before the tick.</summary>
    public bool IsOlderThan(ushort number, long tick) => number != 0 && firstSeen[number] < tick;

    private ulong KeyOf(ReadOnlySpan<byte> name) => TextHash.Combine(starts, TextHash.Of(name));
}
