namespace EventHubThroughput.Clients.Blobs;

/// <summary>A storage account: owns the connections that its containers share.</summary>
internal interface IBlobAccount : IDisposable
{
    /// <summary>Gives access to a container; nothing is sent.</summary>
    /// <param name="name">The container.</param>
    /// <param name="retry">How its requests are tried again; null as the account's are.</param>
    IBlobContainer GetContainer(string name, RetryOptions? retry = null);
}
