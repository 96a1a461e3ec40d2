using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Accepting;

/// <summary>The only sink of a pump: the user's handler.</summary>
internal sealed class HandlerSink<T>(Func<T, CancellationToken, ValueTask> handler) : ISink<EventSlot>
{
    public string Name => "handler";

    public ValueTask WriteAsync(EventSlot slot, CancellationToken cancellationToken) => handler(((EventSlot<T>)slot).Event, cancellationToken);
}
