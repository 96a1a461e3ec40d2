using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>A sink that writes one event by mistake otherwise, and all others as the sink within does.</summary>
internal sealed class MistakenSink(ISink<ReceivedEvent> inner, long victim, Func<ISink<ReceivedEvent>, ReceivedEvent, ValueTask> mistake) : ISink<ReceivedEvent>
{
    public string Name => inner.Name;

    public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        receivedEvent.SequenceNumber == victim ? mistake(inner, receivedEvent) : inner.WriteAsync(receivedEvent, cancellationToken);
}
