using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Assigns arrival numbers to messages, across all queues and topics. If a deleted entity is created again, its numbers continue above the old ones. A
/// message's number is in the log of its entity and in the journal. A start therefore finds messages that are in a log and missing in the journal.
/// </summary>
/// <param name="recorded">The last numbers in the journal. Null without a journal.</param>
internal sealed class ArrivalNumbers(LastStored? recorded)
{
    // Used by one thread, while logs are replayed.
    private readonly List<(string Entity, MessageContent Content)> _unheardOf = [];
    private long _last = recorded?.LastArrival ?? 0;

    /// <summary>Returns messages that are in logs and missing in the journal, in order of arrival. A second call returns none of them.</summary>
    public IReadOnlyList<(string Entity, MessageContent Content)> TakeUnacknowledged()
    {
        // A message of several subscriptions may have been replayed from several records.
        (string Entity, MessageContent Content)[] all =
        [
            .. _unheardOf.DistinctBy(static found => found.Content.Arrival).OrderBy(static found => found.Content.Arrival),
        ];
        _unheardOf.Clear();
        _unheardOf.TrimExcess();
        return all;
    }

    public long Next() => Interlocked.Increment(ref _last);

    /// <summary>Records a message that was replayed from a log.</summary>
    /// <param name="entity">The entity of the log.</param>
    /// <param name="content">The message.</param>
    /// <param name="hops">How often it was forwarded. The journal has it under the entity that received it first.</param>
    public void Found(string entity, MessageContent content, byte hops)
    {
        _last = Math.Max(_last, content.Arrival);
        if (recorded is not null && hops == 0 && content.Arrival > recorded.GetArrival(entity))
        {
            _unheardOf.Add((entity, content));
        }
    }
}
