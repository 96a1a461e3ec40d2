namespace EventHubThroughput.Load.Wire;

/// <summary>Sends transfers of <see cref="WireRows.TransferBytes"/> to a listener of the same library.</summary>
internal interface IWireSender : IAsyncDisposable
{
    Task ConnectAsync(int port, CancellationToken cancellationToken);

    /// <summary>Sends one transfer and returns after its answer.</summary>
    Task SendAsync(CancellationToken cancellationToken);
}
