using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>One write as a sink saw it. Never finished when it failed.</summary>
internal sealed record Write(string Sink, long Sequence, TimeSpan Started)
{
    public TimeSpan? Finished { get; set; }

    public bool Ended { get; set; }
}

/// <summary>Writes for the given time and records what happened. For one thread only: that of the virtual-time runner.</summary>
internal sealed class RecordingSink(VirtualClock clock, string name, Func<EventSlot, CancellationToken, Task> write, List<Write> log) : ITrackedSink
{
    public string Name => name;

    public static RecordingSink Taking(VirtualClock clock, string name, TimeSpan latency, List<Write> log) =>
        new(clock, name, (_, cancellationToken) => clock.DelayAsync(latency, cancellationToken), log);

    /// <summary>A separate latency for each write, drawn from the seed.</summary>
    public static RecordingSink Jittered(VirtualClock clock, string name, int seed, List<Write> log)
    {
        var random = new Random(seed);
        return new(clock, name, (_, cancellationToken) => clock.DelayAsync(TimeSpan.FromMilliseconds(random.Next(0, 20)), cancellationToken), log);
    }

    public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        var record = new Write(name, receivedEvent.SequenceNumber, clock.Elapsed);
        log.Add(record);
        try
        {
            await write(receivedEvent, cancellationToken);
            record.Finished = clock.Elapsed;
            return new WriteOutcome(clock.Elapsed - record.Started, 1, Throttled: false);
        }
        finally
        {
            record.Ended = true;
        }
    }

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(events.Select(receivedEvent => WriteAsync(receivedEvent, cancellationToken).AsTask()));
}
