using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The connections that brought messages, when each brought its first, and when each was cut. They tell the writes of two processes apart, and which
/// answers may not have been read; journals older than version 9 do not name them.
/// </summary>
internal sealed class ConnectionTable
{
    // Microseconds without a message after which the writer of a connection may have stood still: its process was stopped, and gives up what it had in flight when
    // it wakes, before it has read the answers. Clients wait longer than this for an answer.
    private const long Standstill = 10_000_000;

    // The last answers before a process was stopped lie unread in its socket.
    private const long Patience = 1_000_000;

    private readonly Dictionary<ulong, ushort> numbers = [];

    // By number; 0 is none.
    private readonly List<long> firstSeen = [0];
    private readonly List<(long Tick, long Microseconds)?> cuts = [null];
    private readonly List<(long Tick, long Microseconds)> lastBegun = [default];
    private readonly Dictionary<ushort, List<(long From, long Since, long To)>> silences = [];
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
            lastBegun.Add(default);
        }

        return number;
    }

    /// <summary>A message was begun over a connection.</summary>
    public void Begun(ushort number, long tick, long microseconds)
    {
        if (number == 0)
        {
            return;
        }

        if (lastBegun[number] is { Tick: > 0 } last && microseconds - last.Microseconds >= Standstill)
        {
            if (!silences.TryGetValue(number, out var known))
            {
                silences[number] = known = [];
            }

            known.Add((last.Tick, last.Microseconds, tick));
        }

        lastBegun[number] = (tick, microseconds);
    }

    /// <summary>
    /// Whether a connection brought no message for long after one that was in flight, whose answer came meanwhile or at most a second before. Complete when the
    /// whole journal was read.
    /// </summary>
    /// <param name="number">The connection.</param>
    /// <param name="begun">When the message was begun.</param>
    /// <param name="answered">When it was answered, as a time.</param>
    /// <param name="tick">The moment by which the silence was over, or long enough.</param>
    /// <param name="microseconds">The same as a time.</param>
    public bool WasSilent(ushort number, long begun, long answered, long tick, long microseconds)
    {
        if (number == 0)
        {
            return false;
        }

        var last = lastBegun[number];
        return (silences.TryGetValue(number, out var known) && known.Exists(one => begun <= one.From && one.To <= tick && answered >= one.Since - Patience))
            || (begun <= last.Tick && microseconds - last.Microseconds >= Standstill && answered >= last.Microseconds - Patience);
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
