using System.Collections.Concurrent;
using System.Globalization;
using Azure;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Load.Bare;

/// <summary>
/// Ownerships and checkpoints in the official layout, written directly with the package's blob client. A checkpoint is written on condition of the last
/// known version, as the adapter does. It is for one processor. Calls for one partition must not overlap.
/// </summary>
internal sealed class BareCheckpointStore(BlobContainerClient container) : CheckpointStore
{
    private readonly ConcurrentDictionary<string, ETag> seen = new(StringComparer.Ordinal);

    public override async Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        CancellationToken cancellationToken
    )
    {
        var prefix = CheckpointBlobName.OwnershipPrefix(fullyQualifiedNamespace, eventHubName, consumerGroup);
        List<EventProcessorPartitionOwnership> ownerships = [];
        await foreach (var blob in container.GetBlobsAsync(BlobTraits.Metadata, BlobStates.None, prefix, cancellationToken))
        {
            ownerships.Add(
                new EventProcessorPartitionOwnership
                {
                    FullyQualifiedNamespace = fullyQualifiedNamespace,
                    EventHubName = eventHubName,
                    ConsumerGroup = consumerGroup,
                    PartitionId = blob.Name[prefix.Length..],
                    OwnerIdentifier = blob.Metadata["ownerid"],
                    LastModifiedTime = blob.Properties.LastModified ?? default,
                    Version = blob.Properties.ETag.ToString(),
                }
            );
        }

        return ownerships;
    }

    public override async Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    )
    {
        List<EventProcessorPartitionOwnership> claimed = [.. desiredOwnership];
        foreach (var one in claimed)
        {
            var name = CheckpointBlobName.Ownership(one.FullyQualifiedNamespace, one.EventHubName, one.ConsumerGroup, one.PartitionId);
            var version = await WriteAsync(
                name,
                new Dictionary<string, string>(StringComparer.Ordinal) { ["ownerid"] = one.OwnerIdentifier },
                one.Version is { } known ? new ETag(known) : null,
                cancellationToken
            );
            one.Version = version.ToString();
        }

        return claimed;
    }

    public override async Task<EventProcessorCheckpoint?> GetCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        CancellationToken cancellationToken
    )
    {
        var blob = container.GetBlobClient(CheckpointBlobName.Checkpoint(fullyQualifiedNamespace, eventHubName, consumerGroup, partitionId));
        try
        {
            var stored = (await blob.GetPropertiesAsync(cancellationToken: cancellationToken)).Value;
            seen[partitionId] = stored.ETag;
            return new EventProcessorCheckpoint
            {
                FullyQualifiedNamespace = fullyQualifiedNamespace,
                EventHubName = eventHubName,
                ConsumerGroup = consumerGroup,
                PartitionId = partitionId,
                StartingPosition = EventPosition.FromSequenceNumber(
                    long.Parse(stored.Metadata["sequencenumber"], CultureInfo.InvariantCulture),
                    isInclusive: false
                ),
            };
        }
        catch (RequestFailedException missing) when (missing.Status == 404)
        {
            return null;
        }
    }

    public override async Task UpdateCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        string clientIdentifier,
        CheckpointPosition startingPosition,
        CancellationToken cancellationToken
    )
    {
        var metadata = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["offset"] = startingPosition.OffsetString,
            ["sequencenumber"] = startingPosition.SequenceNumber.ToString(CultureInfo.InvariantCulture),
            ["clientidentifier"] = clientIdentifier,
        };
        var name = CheckpointBlobName.Checkpoint(fullyQualifiedNamespace, eventHubName, consumerGroup, partitionId);
        seen[partitionId] = await WriteAsync(name, metadata, seen.TryGetValue(partitionId, out var version) ? version : null, cancellationToken);
    }

    // Without a version the blob must be absent.
    private async Task<ETag> WriteAsync(string name, IDictionary<string, string> metadata, ETag? version, CancellationToken cancellationToken)
    {
        var blob = container.GetBlobClient(name);
        if (version is { } etag)
        {
            return (await blob.SetMetadataAsync(metadata, new BlobRequestConditions { IfMatch = etag }, cancellationToken)).Value.ETag;
        }

        var created = new BlobUploadOptions()
        {
            Metadata = metadata,
            Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All },
        };
        return (await blob.UploadAsync(BinaryData.Empty, created, cancellationToken)).Value.ETag;
    }
}
