using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The connections that brought messages, when each brought its first, and when each was cut. They distinguish the writes of two processes, and show which
/// answers may not have been read. Journals older than version 9 do not name them.
/// </summary>
internal sealed class ConnectionTable
{
    // Microseconds without a message after which the writer of a connection may have been paused. Such a process gives up its requests when it resumes,
    // before it has read the answers. Clients wait longer than this for an answer.
    private const long Standstill = 10_000_000;

    /// <summary>Microseconds for which an answer may be unread in its socket, and after which a writer without one may send again.</summary>
    public const long AnswerTimeout = 1_000_000;

    private readonly Dictionary<ulong, ushort> numbers = [];

    // By number. Number 0 means none and records nothing.
    private readonly List<Connection> connections = [new(0)];
    private ulong starts;

    /// <summary>Records a message over a connection. Returns the connection's number, 0 when the journal does not name it or there are too many.</summary>
    public ushort Seen(ReadOnlySpan<byte> name, long tick)
    {
        if (name.IsEmpty)
        {
            return 0;
        }

        var key = GetKey(name);
        if (!numbers.TryGetValue(key, out var number) && connections.Count <= ushort.MaxValue)
        {
            numbers[key] = number = (ushort)connections.Count;
            connections.Add(new Connection(tick));
        }

        return number;
    }

    /// <summary>Records that a message began over a connection.</summary>
    public void Begun(ushort number, long tick, long microseconds)
    {
        if (number == 0)
        {
            return;
        }

        var connection = connections[number];
        if (connection.LastBegun is { Tick: > 0 } last && microseconds - last.Microseconds >= Standstill)
        {
            connection.Silences.Add(new Silence(last.Tick, last.Microseconds, tick, microseconds));
        }

        connection.LastBegun = (tick, microseconds);
    }

    /// <summary>
    /// Whether the writer of a message may have been paused while it waited for the answer. In the first case the connection brought no message for a long
    /// time after this one. Its answer was sent during that time or at most a second before. In the second case this message is of the first second after
    /// such a time, and was in the writer's process before. Valid after the whole journal was read.
    /// </summary>
    /// <param name="number">The connection.</param>
    /// <param name="begun">When the message was begun.</param>
    /// <param name="begunAt">The same as a time.</param>
    /// <param name="answered">When it was answered, as a time.</param>
    /// <param name="tick">The moment at which the silence had ended, or long enough.</param>
    /// <param name="microseconds">The same as a time.</param>
    public bool WasSilent(ushort number, long begun, long begunAt, long answered, long tick, long microseconds)
    {
        if (number == 0)
        {
            return false;
        }

        var last = connections[number].LastBegun;
        return connections[number]
                .Silences.Exists(one =>
                    (begun <= one.From && one.To <= tick && answered >= one.Since - AnswerTimeout) || (begun >= one.To && begunAt <= one.Until + AnswerTimeout)
                ) || (begun <= last.Tick && microseconds - last.Microseconds >= Standstill && answered >= last.Microseconds - AnswerTimeout);
    }

    /// <summary>Records that a connection ended without a close.</summary>
    public void Cut(ReadOnlySpan<byte> name, long tick, long microseconds)
    {
        if (numbers.TryGetValue(GetKey(name), out var number))
        {
            connections[number].Cut = (tick, microseconds);
        }
    }

    /// <summary>Records the start of an emulator: all connections were cut when the one before ended, and their names may be used again.</summary>
    public void Restart(long tick, long microseconds)
    {
        starts++;
        foreach (var connection in connections.Skip(1))
        {
            connection.Cut ??= (tick, microseconds);
        }
    }

    /// <summary>When a connection was cut. Null for never, or when it is not recorded. Valid after the whole journal was read.</summary>
    public (long Tick, long Microseconds)? GetCut(ushort number) => connections[number].Cut;

    /// <summary>Whether the connection had brought a message before the tick.</summary>
    public bool IsOlderThan(ushort number, long tick) => number != 0 && connections[number].FirstSeen < tick;

    private ulong GetKey(ReadOnlySpan<byte> name) => TextHash.Combine(starts, TextHash.Of(name));

    private sealed class Connection(long firstSeen)
    {
        public long FirstSeen => firstSeen;

        public (long Tick, long Microseconds) LastBegun { get; set; }

        public (long Tick, long Microseconds)? Cut { get; set; }

        /// <summary>Periods in which no message began for a long time.</summary>
        public List<Silence> Silences { get; } = [];
    }

    /// <summary>The messages around a silence: tick and time of the one before, tick and time of the one after.</summary>
    private readonly record struct Silence(long From, long Since, long To, long Until);
}
