namespace EventHubThroughput.Load.Wire;

/// <summary>Receives transfers on loopback and answers each of them.</summary>
internal interface IWireListener : IAsyncDisposable
{
    int Port { get; }
}
