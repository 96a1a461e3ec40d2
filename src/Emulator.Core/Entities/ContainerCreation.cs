using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Blobs;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Containers as settings and the administration create them: without metadata, equal when there.</summary>
internal static class ContainerCreation
{
    /// <exception cref="IOException">It could not be stored.</exception>
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
