using Azure.Core;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Specialized;

namespace EventHubThroughput.Clients.Azure;

/// <summary>Clients of the packages that a user has created and still owns. Each missing one is created from the settings.</summary>
internal sealed record GivenClients
{
    /// <summary>The identity for each service without a key. Null for <c>DefaultAzureCredential</c>.</summary>
    public TokenCredential? Credential { get; init; }

    /// <summary>The storage account. Used if the settings name none.</summary>
    public BlobServiceClient? Storage { get; init; }

    /// <summary>
    /// The container of ownerships and checkpoints. Used if the settings name no storage account. Other containers are then in its account.
    /// </summary>
    public BlobContainerClient? Checkpoints { get; init; }

    /// <summary>The client of a container. Null if no account is given.</summary>
    public BlobContainerClient? GetContainer(string name) =>
        Checkpoints is { } checkpoints && checkpoints.Name == name
            ? checkpoints
            : (Checkpoints?.GetParentBlobServiceClient() ?? Storage)?.GetBlobContainerClient(name);
}
