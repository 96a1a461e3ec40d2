using System.Globalization;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Writing;

/// <summary>
/// The events that are held because a write of them keeps failing: counted for the gauge, and reported in one line when the first is held and then once a
/// minute.
/// </summary>
/// <param name="say">Receives the line, which may contain text of a service or a sink.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class BlockedEvents(Action<string> say, TimeProvider timeProvider)
{
    private static readonly TimeSpan Silence = TimeSpan.FromMinutes(1);

    private readonly Lock gate = new();

    // Under the gate. A key for each write, because both writes of an event may be held.
    private readonly Dictionary<(string Partition, long Sequence, string Sink), long> since = [];
    private long? saidAt;
    private long ever;

    /// <summary>Events that are held now.</summary>
    public int Count
    {
        get
        {
            lock (gate)
            {
                return Distinct();
            }
        }
    }

    /// <summary>Events that were held at some time.</summary>
    public long Ever
    {
        get
        {
            lock (gate)
            {
                return ever;
            }
        }
    }

    /// <summary>Whether an event of the partition is held now.</summary>
    public bool Holds(string partition)
    {
        lock (gate)
        {
            return since.Keys.Any(key => key.Partition == partition);
        }
    }

    /// <summary>A write has failed and will be tried again. Called after each attempt.</summary>
    public void Hold(string partition, long sequence, string sink, int attempts, string reason)
    {
        string? line = null;
        lock (gate)
        {
            var now = timeProvider.GetTimestamp();
            var others = since.Keys.Any(key => key.Partition == partition && key.Sequence == sequence);
            if (since.TryAdd((partition, sequence, sink), now) && !others)
            {
                ever++;
            }

            if (saidAt is not { } last || timeProvider.GetElapsedTime(last, now) >= Silence)
            {
                saidAt = now;
                var held = timeProvider.GetElapsedTime(since[(partition, sequence, sink)], now);
                var more = Distinct() - 1;
                line = string.Create(
                    CultureInfo.InvariantCulture,
                    $"blocked for {held.TotalSeconds:0} s: event {sequence} of partition {partition} at {sink}, {Plural.Format(attempts, "attempt")}: {reason}{(more > 0 ? $", {more} more blocked" : "")}"
                );
            }
        }

        if (line is not null)
        {
            say(line.ReplaceLineEndings(" "));
        }
    }

    /// <summary>The write has succeeded, or no caller waits for it any more.</summary>
    public void Release(string partition, long sequence, string sink)
    {
        lock (gate)
        {
            since.Remove((partition, sequence, sink));
        }
    }

    private int Distinct() => since.Keys.DistinctBy(key => (key.Partition, key.Sequence)).Count();
}
