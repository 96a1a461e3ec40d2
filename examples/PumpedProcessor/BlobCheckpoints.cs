using System.Globalization;
using Azure;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;

namespace PumpedProcessor;

/// <summary>
/// Ownerships and checkpoints as metadata of blobs, in the layout of the package Azure.Messaging.EventHubs.Processor, and written as there: an ownership on
/// condition of its version, a checkpoint without a condition.
/// </summary>
internal sealed class BlobCheckpoints(BlobContainerClient container) : CheckpointStore
{
    public override async Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        CancellationToken cancellationToken
    )
    {
        var prefix = GetName(fullyQualifiedNamespace, eventHubName, consumerGroup, "ownership", "");
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
                    LastModifiedTime = blob.Properties.LastModified.GetValueOrDefault(),
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
        List<EventProcessorPartitionOwnership> claimed = [];
        foreach (var one in desiredOwnership)
        {
            var blob = container.GetBlobClient(GetName(one.FullyQualifiedNamespace, one.EventHubName, one.ConsumerGroup, "ownership", one.PartitionId));
            var metadata = new Dictionary<string, string> { ["ownerid"] = one.OwnerIdentifier };
            var seen = string.IsNullOrEmpty(one.Version)
                ? new BlobRequestConditions { IfNoneMatch = ETag.All }
                : new BlobRequestConditions { IfMatch = new ETag(one.Version) };
            try
            {
                var options = new BlobUploadOptions { Metadata = metadata, Conditions = seen };
                var (version, written) = string.IsNullOrEmpty(one.Version)
                    ? Of((await blob.UploadAsync(BinaryData.Empty, options, cancellationToken)).Value)
                    : Of((await blob.SetMetadataAsync(metadata, seen, cancellationToken)).Value);
                (one.Version, one.LastModifiedTime) = (version.ToString(), written);
                claimed.Add(one);
            }
            catch (RequestFailedException other) when (other.Status is 409 or 412)
            {
                // Another processor was faster.
            }
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
        var blob = container.GetBlobClient(GetName(fullyQualifiedNamespace, eventHubName, consumerGroup, "checkpoint", partitionId));
        try
        {
            var stored = (await blob.GetPropertiesAsync(cancellationToken: cancellationToken)).Value.Metadata["sequencenumber"];
            return new EventProcessorCheckpoint
            {
                FullyQualifiedNamespace = fullyQualifiedNamespace,
                EventHubName = eventHubName,
                ConsumerGroup = consumerGroup,
                PartitionId = partitionId,
                StartingPosition = EventPosition.FromSequenceNumber(long.Parse(stored, CultureInfo.InvariantCulture), isInclusive: false),
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
        var blob = container.GetBlobClient(GetName(fullyQualifiedNamespace, eventHubName, consumerGroup, "checkpoint", partitionId));
        var metadata = new Dictionary<string, string>
        {
            ["offset"] = startingPosition.OffsetString,
            ["sequencenumber"] = startingPosition.SequenceNumber.ToString(CultureInfo.InvariantCulture),
            ["clientidentifier"] = clientIdentifier,
        };
        try
        {
            await blob.SetMetadataAsync(metadata, cancellationToken: cancellationToken);
        }
        catch (RequestFailedException missing) when (missing.Status == 404)
        {
            await blob.UploadAsync(BinaryData.Empty, new BlobUploadOptions { Metadata = metadata }, cancellationToken);
        }
    }

    private static (ETag, DateTimeOffset) Of(BlobContentInfo written) => (written.ETag, written.LastModified);

    private static (ETag, DateTimeOffset) Of(BlobInfo written) => (written.ETag, written.LastModified);

    private static string GetName(string fullyQualifiedNamespace, string hub, string group, string kind, string partition) =>
        $"{fullyQualifiedNamespace}/{hub}/{group}/{kind}/".ToLowerInvariant() + partition;
}
