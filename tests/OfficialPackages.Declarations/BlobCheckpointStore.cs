// Without annotations, as in the package.
#nullable disable

using Azure.Storage.Blobs;

namespace Azure.Messaging.EventHubs.Primitives;

[ReadFrom("Azure.Messaging.EventHubs.Processor", "5.11.3")]
public class BlobCheckpointStore : CheckpointStore
{
    public BlobCheckpointStore(BlobContainerClient blobContainerClient) => throw null!;
}
