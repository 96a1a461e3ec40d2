using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing;

/// <summary>What a sink is made from.</summary>
/// <param name="Clients">The clients of the services; a sink of one's own may need none of them.</param>
/// <param name="Settings">Where the services are.</param>
public sealed record SinkContext(IMessagingClients Clients, MessagingSettings Settings);

/// <summary>A sink's name and how to make one. Its place among the sinks of a run is that in their list.</summary>
/// <param name="Name">The name in metrics, results and dead letters: lower case, no blanks.</param>
/// <param name="Summary">One sentence for documents.</param>
/// <param name="Create">Makes the sink; one that can be disposed of is, when processing is.</param>
public sealed record SinkDescriptor(string Name, string Summary, Func<SinkContext, ISink<ReceivedEvent>> Create)
{
    /// <summary>Whether it writes to the queue or topic of the settings, which must then be set.</summary>
    public bool NeedsServiceBus { get; init; }

    /// <summary>A sink that is one method of the caller's own.</summary>
    /// <param name="handler">Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    public static SinkDescriptor Of(Func<ReceivedEvent, CancellationToken, ValueTask> handler, string name = "handler") =>
        new(name, "A handler of the caller's own.", _ => new HandlerSink(name, handler));

    private sealed class HandlerSink(string name, Func<ReceivedEvent, CancellationToken, ValueTask> handler) : ISink<ReceivedEvent>
    {
        public string Name => name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => handler(receivedEvent, cancellationToken);
    }
}
