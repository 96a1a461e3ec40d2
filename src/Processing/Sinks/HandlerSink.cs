using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing.Sinks;

/// <summary>A sink that is one method.</summary>
internal sealed class HandlerSink(string name, Func<ReceivedEvent, CancellationToken, ValueTask> handler) : ISink
{
    public string Name => name;

    public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => handler(receivedEvent, cancellationToken);
}
