using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>Reads hubs and partitions on <c>$management</c>.</summary>
internal sealed class EventHubsManagement(EventHubRegistry hubs, PeerConnection peer)
{
    public Answer Answer(AmqpMessage request)
    {
        var properties = request.ApplicationProperties;
        var type = properties?.FindString(AmqpNames.Type);
        if (properties?.FindString(AmqpNames.Operation) is not AmqpNames.ReadOperation || type is not (AmqpNames.EventHubType or AmqpNames.PartitionType))
        {
            return new Answer(501, "The operation is not supported here.", ErrorCondition.NotImplemented);
        }

        var name = properties.FindString(AmqpNames.Name) ?? string.Empty;
        if (Refusal(name, properties.FindString(AmqpNames.SecurityToken)) is { } refusal)
        {
            return new Answer(401, refusal, ErrorCondition.UnauthorizedAccess);
        }

        if (hubs.Find(name) is not { } hub)
        {
            return new Answer(404, Refusals.EntityNotFoundText(peer.GetAddress(name)), ErrorCondition.NotFound);
        }

        if (type == AmqpNames.EventHubType)
        {
            return Messages.Answer.Ok(Describe(hub));
        }

        var id = properties.FindString(AmqpNames.Partition);
        if (hub.FindPartition(id) is { } partition)
        {
            return Messages.Answer.Ok(Describe(hub, partition));
        }

        var refused = Refusals.PartitionOutOfRange(hub.Partitions.Count);
        return new Answer(400, refused.Description!, refused.Condition.Value);
    }

    // Each right permits to read properties: a writer reads the partitions too. Some clients put the token into the request, others send one for the management address first. Most do both.
    private string? Refusal(string hub, string? token)
    {
        if (token is not null)
        {
            return peer.Grants.Refuse(token, hub);
        }

        return peer.Grants.Allows(hub, AccessRights.All) || peer.Grants.Allows(EntityAddress.OfManagement(hub), AccessRights.All)
            ? null
            : Refusals.Unauthorized(hub, "Manage").Description;
    }

    private static AmqpMap Describe(EventHub hub) =>
        new()
        {
            { AmqpNames.Type, AmqpNames.EventHubType },
            { AmqpNames.Name, hub.Name },
            { AmqpNames.CreatedAt, AmqpTimestamp.From(hub.CreatedAt) },
            { AmqpNames.PartitionCount, hub.Partitions.Count },
            { AmqpNames.PartitionIds, AmqpArray.Of(hub.Partitions.Select(static partition => partition.Id)) },
            // One replica. Go's client requires this entry.
            { AmqpNames.GeoReplicationFactor, 1 },
        };

    private static AmqpMap Describe(EventHub hub, PartitionLog partition)
    {
        var state = partition.State;
        return new AmqpMap
        {
            { AmqpNames.Type, AmqpNames.PartitionType },
            { AmqpNames.Name, hub.Name },
            { AmqpNames.Partition, partition.Id },
            { AmqpNames.BeginSequenceNumber, state.FirstSequence },
            { AmqpNames.LastEnqueuedSequenceNumber, state.LastSequence },
            { AmqpNames.LastEnqueuedOffset, state.LastOffset },
            { AmqpNames.LastEnqueuedTime, new AmqpTimestamp(state.LastEnqueuedMilliseconds) },
            { AmqpNames.IsPartitionEmpty, state.IsEmpty },
        };
    }
}
