using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Sinks;

/// <summary>
/// Stores events that a sink has failed for good: one blob for each, named like the event, with its body. The metadata has the other fields of the event, the
/// sinks that have given it up, the reason and the number of attempts. A record is stored only if absent, so that an event has one record for any number of
/// sinks and owners. A further sink adds its name. An existing blob must be a record of this event: an archived copy of it, which has the same name and
/// bytes, is not one.
/// </summary>
internal sealed class DeadLetterWriter(IBlobContainer container, string hub)
{
    // Concurrent changes of a record: by another sink of the same event, or by a redrive.
    private const int MostChanges = 8;

    /// <summary>Stores the event. Returns when it is stored, or was before.</summary>
    /// <param name="slot">The event, which is a received one.</param>
    /// <param name="sink">The sink that gave it up.</param>
    /// <param name="cause">The reason. Any text, stored without secrets as one line of ASCII.</param>
    /// <param name="attempts">The number of tries.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <exception cref="MessagingException">It is not stored, or that is unknown. Kind Permanent when there is another blob in its place.</exception>
    public async Task StoreAsync(EventSlot slot, string sink, string cause, int attempts, CancellationToken cancellationToken)
    {
        var receivedEvent = (ReceivedEvent)slot;
        var name = SinkNames.BlobName(hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber);
        var fields = DeadLetterFields.Of(receivedEvent);
        if (fields.GetValueOrDefault(DeadLetterFields.Properties) == DeadLetterFields.PropertiesSuffix)
        {
            // First, so that a record never lacks its properties.
            await StorePropertiesAsync(name + DeadLetterFields.PropertiesSuffix, receivedEvent, cancellationToken);
        }

        var reason = $"{sink}: {cause}";
        var record = DeadLetterFields.WithSinks(fields, [sink]);
        DeadLetterFields.SetReason(record, reason, attempts);
        var upload = new BlobUpload
        {
            Name = name,
            Content = receivedEvent.Body,
            ContentType = receivedEvent.ContentType is { } type && BlobUpload.CanCarry(type) ? type : null,
            Metadata = record,
        };
        for (var change = 1; ; change++)
        {
            var stored = await EventBlob.StoreOrFindAsync(container, upload, cancellationToken);
            if (stored is null || await IsNamedAsync(stored, fields, sink, reason, attempts, cancellationToken))
            {
                return;
            }

            if (change == MostChanges)
            {
                throw new MessagingException(FailureKind.Transient, $"blob '{name}' is being changed by another writer");
            }
        }
    }

    // Whether the existing record names the sink, or does so now. False when another process has changed it in the meantime.
    private async Task<bool> IsNamedAsync(
        BlobProperties stored,
        IReadOnlyDictionary<string, string> fields,
        string sink,
        string reason,
        int attempts,
        CancellationToken cancellationToken
    )
    {
        if (!DeadLetterFields.IsSame(fields, stored.Metadata))
        {
            throw new MessagingException(FailureKind.Permanent, $"blob '{stored.Name}' in container '{container.Name}' is not a dead letter of this event");
        }

        var sinks = DeadLetterFields.GetSinks(stored.Metadata) ?? [];
        if (sinks.Contains(sink))
        {
            return true;
        }

        // Fields that an earlier version omitted are filled in. A claim is kept.
        var changed = new Dictionary<string, string>(fields, StringComparer.Ordinal);
        foreach (var (name, value) in stored.Metadata)
        {
            changed[name] = value;
        }

        changed[DeadLetterFields.Sinks] = DeadLetterFields.WithSinks(fields, [.. sinks, sink])[DeadLetterFields.Sinks];
        var before = sinks.Count > 0 ? $"{stored.Metadata[DeadLetterFields.Reason]}; " : "";
        DeadLetterFields.SetReason(changed, before + reason, DeadLetterFields.GetAttempts(stored.Metadata) + attempts);
        try
        {
            await container.SetMetadataAsync(stored.Name, changed, BlobCondition.Match(stored.ETag), cancellationToken);
            return true;
        }
        catch (MessagingException failure) when (failure.Kind is FailureKind.Conflict or FailureKind.NotFound)
        {
            // Changed or removed. The next upload reports whether the container itself was deleted.
            return false;
        }
    }

    private async Task StorePropertiesAsync(string name, ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        var upload = new BlobUpload
        {
            Name = name,
            Content = receivedEvent.EncodedProperties,
            Metadata = EventBlob.GetMetadata(receivedEvent.EncodedProperties),
        };
        while (await EventBlob.StoreOrFindAsync(container, upload, cancellationToken) is not null)
        {
            try
            {
                // A new version, so that a process that is about to remove the properties it has read finds others in their place.
                await container.SetMetadataAsync(name, upload.Metadata, BlobCondition.None, cancellationToken);
                return;
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.NotFound)
            {
                // Removed in the meantime: stored again.
            }
        }
    }
}
