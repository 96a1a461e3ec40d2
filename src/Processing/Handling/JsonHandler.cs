using System.Text.Json.Serialization.Metadata;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Handling;

/// <summary>Passes events with JSON bodies to a handler of values. Any other body fails for good: the same bytes would fail at the next try too.</summary>
internal sealed class JsonHandler<T>(Func<EventContext<T>, CancellationToken, ValueTask> handler, JsonTypeInfo<T> type)
    where T : notnull
{
    public ValueTask HandleAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        handler(new EventContext<T>(receivedEvent, Read(receivedEvent)), cancellationToken);

    private T Read(ReceivedEvent receivedEvent)
    {
        try
        {
            return receivedEvent.GetBodyAsJson(type)
                ?? throw new MessagingException(FailureKind.Permanent, $"{receivedEvent.Place}: its body is not JSON of {typeof(T).Name}: it is null");
        }
        catch (InvalidOperationException otherKind)
        {
            throw new MessagingException(FailureKind.Permanent, otherKind.Message, otherKind);
        }
    }
}
