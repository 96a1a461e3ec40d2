using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Clients;

/// <summary>Creates the clients of one storage account, which share its connections.</summary>
public interface IBlobClients : IAsyncDisposable
{
    /// <summary>Returns a client of a blob container. Nothing is created.</summary>
    IBlobContainer GetBlobContainer(string name);
}
