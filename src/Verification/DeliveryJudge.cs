using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Follows what was handed to readers, and on which incarnation.</summary>
internal sealed class DeliveryJudge(EventTable events, VerificationScope scope, Findings findings)
{
    public void Observe(EventDelivered record)
    {
        if (!events.IsOurHub(record.Hub) || !string.Equals(record.Group, scope.Group, StringComparison.OrdinalIgnoreCase))
        {
            return;
        }

        findings.Delivered++;
        var log = events.Log(record.Partition);
        log.Link = record.Link;
        if (log.TryFind(record.Sequence, out var place) && place >= 0)
        {
            ref var state = ref events.States[place];
            state.Deliveries++;
            findings.Replayed += state.Begun > 0 ? 1 : 0;
        }
    }
}
