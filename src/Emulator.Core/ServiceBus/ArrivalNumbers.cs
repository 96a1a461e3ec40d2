using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Numbers messages as they come in, over all queues and topics, so that one that is deleted and made anew goes on above its namesake. A
/// message's number stands in its entity's log and in the journal: that is how a start finds what the log holds and the journal never heard of.
/// </summary>
/// <param name="heard">What the journal told last. Null without a journal.</param>
internal sealed class ArrivalNumbers(LastStored? heard)
{
    // While logs are read back, by one thread.
    private readonly List<(string Entity, MessageContent Content)> _unheardOf = [];
    private long _last = heard?.LastArrival ?? 0;

    /// <summary>What logs hold and the journal does not, in the order of arrival. It is given once.</summary>
    public IReadOnlyList<(string Entity, MessageContent Content)> TakeUnheardOf()
    {
        // What several subscriptions keep may have come back in several records.
        (string Entity, MessageContent Content)[] all =
        [
            .. _unheardOf.DistinctBy(static found => found.Content.Arrival).OrderBy(static found => found.Content.Arrival),
        ];
        _unheardOf.Clear();
        _unheardOf.TrimExcess();
        return all;
    }

    public long Next() => Interlocked.Increment(ref _last);

    /// <summary>A message that a log brought back.</summary>
    /// <param name="entity">Whose log it is.</param>
    /// <param name="content">The message.</param>
    /// <param name="hops">How often it was forwarded: the journal has it where it was sent to.</param>
    public void Found(string entity, MessageContent content, byte hops)
    {
        _last = Math.Max(_last, content.Arrival);
        if (heard is not null && hops == 0 && content.Arrival > heard.ArrivalOf(entity))
        {
            _unheardOf.Add((entity, content));
        }
    }
}
