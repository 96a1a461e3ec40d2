namespace EventHubThroughput.Load.Wire;

/// <summary>Takes transfers on loopback and answers each of them.</summary>
internal interface IWireListener : IAsyncDisposable
{
    int Port { get; }
}
