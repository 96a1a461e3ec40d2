using System.Globalization;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>What is refused before the first event is read: checkpoints that do not belong to this hub, and events that are gone.</summary>
internal static class StartRefusals
{
    /// <exception cref="FailureException">The consumer group has owned partitions that the hub does not have.</exception>
    public static void OfPartitions(EventHubProperties hub, IReadOnlyList<Ownership> ownerships)
    {
        var owned = ownerships.Select(ownership => ownership.PartitionId).ToHashSet(StringComparer.Ordinal);
        if (!owned.IsSubsetOf(hub.PartitionIds))
        {
            throw Refused(
                $"event hub '{hub.Name}' has {Plural.Format(hub.PartitionIds.Count, "partition")}, its checkpoint store has {owned.Count}: the hub was created again"
            );
        }
    }

    /// <param name="hub">The hub.</param>
    /// <param name="partition">What the partition holds, read after the checkpoint.</param>
    /// <param name="stored">The sequence number of the checkpoint. Below 0 for none, or when only an offset is known.</param>
    /// <param name="acceptGap">Continues although events are gone.</param>
    /// <exception cref="FailureException">The checkpoint is beyond the end, or retention has passed it.</exception>
    public static void OfPosition(EventHubProperties hub, PartitionProperties partition, long stored, bool acceptGap)
    {
        if (stored < 0)
        {
            // Without a checkpoint there is no promise about the events that retention removed.
            return;
        }

        if (stored > partition.LastSequenceNumber)
        {
            throw Refused(
                $"checkpoint {stored} is beyond the end {partition.LastSequenceNumber} of partition {partition.PartitionId} of event hub '{hub.Name}'"
            );
        }

        var gone = (partition.IsEmpty ? partition.LastSequenceNumber + 1 : partition.BeginSequenceNumber) - stored - 1;
        if (gone > 0 && !acceptGap)
        {
            throw Refused(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{gone:N0} {(gone == 1 ? "event" : "events")} of partition {partition.PartitionId} {(gone == 1 ? "is" : "are")} gone: the checkpoint is {stored}, the first remaining event {(partition.IsEmpty ? "none" : partition.BeginSequenceNumber)}. --accept-gap continues without them"
                )
            );
        }
    }

    private static FailureException Refused(string message) => new(FailureCause.Dependency, message);
}
