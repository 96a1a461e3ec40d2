namespace EventHubThroughput.Load.Wire;

/// <summary>Sends transfers of <see cref="WireRows.TransferBytes"/> to a listener of its own kind.</summary>
internal interface IWireSender : IAsyncDisposable
{
    Task ConnectAsync(int port, CancellationToken cancellationToken);

    /// <summary>Sends one and returns when it is answered.</summary>
    Task SendAsync(CancellationToken cancellationToken);
}
