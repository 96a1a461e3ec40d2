using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Blobs;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Containers that settings and the administration create. They have no metadata, so existing ones are always equal.</summary>
internal static class ContainerCreation
{
    /// <exception cref="IOException">The container could not be stored.</exception>
    public static CreateVerdict CreateAsAsked(this BlobStore store, string name)
    {
        if (store.Create(name, new Dictionary<string, string>(), out _) is not { } failure)
        {
            return CreateVerdict.Created;
        }

        return failure == BlobFailure.ContainerAlreadyExists ? CreateVerdict.Exists
            : failure == BlobFailure.ServerBusy ? CreateVerdict.TooMany
            : throw new IOException(failure.Message);
    }
}
