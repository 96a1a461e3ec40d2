using EventHubThroughput.Events;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Creates outgoing events from the events of a source, which it receives in their order. For one caller at a time.</summary>
/// <param name="run">The run that the stamps name.</param>
/// <param name="trace">Adds the properties that trace an event. Null adds nothing.</param>
internal sealed class EventStamper(string run, Func<IReadOnlyDictionary<string, object?>, IReadOnlyDictionary<string, object?>>? trace)
{
    // The number of events of each key that have been stamped.
    private readonly Dictionary<string, long> keys = new(StringComparer.Ordinal);
    private long keylessCount;
    private long index;

    public PendingEvent Stamp(SourceEvent sourceEvent, DateTimeOffset intended)
    {
        var stamp = EventStamp.Of(run, index++, GetKeyIndex(sourceEvent.Key), sourceEvent.Body.Span, intended);
        var outgoing = new OutgoingEvent
        {
            Body = sourceEvent.Body,
            ContentType = sourceEvent.ContentType,
            Properties = trace?.Invoke(stamp.ToProperties()) ?? stamp.ToProperties(),
        };
        return new PendingEvent(outgoing, stamp, sourceEvent.Key);
    }

    private long GetKeyIndex(string? key)
    {
        if (key is null)
        {
            return keylessCount++;
        }

        var count = keys.GetValueOrDefault(key);
        keys[key] = count + 1;
        return count;
    }
}
