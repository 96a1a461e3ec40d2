namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>One of the places of a processor, which handles one message after another.</summary>
internal sealed class HandlerSlot
{
    // Each message has a separate one. Otherwise a lock lost at the end of its message could cancel the next handler. None has a timer, so nothing leaks if
    // one is not disposed of.
    private volatile CancellationTokenSource? handling;

    /// <summary>The present message, or the last one.</summary>
    public Task Running { get; set; } = Task.CompletedTask;

    /// <summary>Takes the next message.</summary>
    public CancellationTokenSource Begin() => handling = new CancellationTokenSource();

    /// <summary>Cancels the handler. Does nothing when there is none.</summary>
    public void Cancel() => handling?.Cancel();
}
