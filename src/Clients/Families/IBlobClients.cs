using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Clients;

/// <summary>Makes the clients of one storage account, which share its connections.</summary>
public interface IBlobClients : IAsyncDisposable
{
    /// <summary>Gets access to a blob container. Nothing is created.</summary>
    IBlobContainer GetBlobContainer(string name);
}
