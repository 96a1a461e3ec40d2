using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>A sender that serves its writes one after another, each for the serial time, and answers the rest of the latency later.</summary>
internal sealed class FifoSink(VirtualClock clock, TimeSpan serial, TimeSpan rest) : ITrackedSink
{
    private TimeSpan freeAt;

    public string Name => "fifo";

    public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        var started = clock.Elapsed;
        freeAt = (freeAt > started ? freeAt : started) + serial;
        await clock.DelayAsync(freeAt + rest - started, cancellationToken);
        return new WriteOutcome(clock.Elapsed - started, 1, Throttled: false);
    }

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(events.Select(receivedEvent => WriteAsync(receivedEvent, cancellationToken).AsTask()));
}
